/** The details of an event in the audit log as words. */
import type { AuditEvent } from '#shared/audit/audit-event.ts';
import { POSITIONS } from '#shared/permissions.ts';
import { VISIBILITIES, VISIBILITY } from '#shared/spaces/visibility.ts';
import { formatDate } from '#shared/english.ts';
import { POSITION_LABELS } from '#client/workspaces/position-words.ts';

/** Events whose former and present value are levels of access. */
const LEVEL_WORDS: Readonly<Record<string, string>> = { read: 'can read', write: 'can write' };

/** Names of single values whose stored form is not a word of the language. */
const NAMES: Readonly<Record<string, string>> = { last4: 'ends in', expiresAt: 'expires' };

/** ISO 8601 in UTC, as the server stores moments. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

const known = (value: unknown, names: readonly string[]): value is string =>
  typeof value === 'string' && names.includes(value);

/** A value in the words of the screens, or as it is. */
function shown(value: unknown): string {
  const visibility = VISIBILITIES.find((name) => name === value);
  if (visibility !== undefined) return VISIBILITY[visibility].label;
  const position = POSITIONS.find((name) => name === value);
  if (position !== undefined) return POSITION_LABELS[position];
  if (typeof value !== 'string') return JSON.stringify(value);
  return MOMENT.test(value) ? formatDate(new Date(value)) : value;
}

function holderWords(holder: unknown): string {
  if (known(holder, POSITIONS)) return `Position ${shown(holder)}`;
  return typeof holder === 'string' ? holder : 'A former account';
}

function grantWords({ holder, level, from, to }: AuditEvent['details']): string {
  const words = (value: unknown) => LEVEL_WORDS[String(value)] ?? shown(value);
  const what = to === undefined ? words(level) : `${words(from)} → ${words(to)}`;
  return `${holderWords(holder)}: ${what}`;
}

/** Details as one line, as far as they are single values; empty without any. */
export function detailsText({ action, details }: Pick<AuditEvent, 'action' | 'details'>): string {
  if (action.startsWith('grant.')) return grantWords(details);
  const { from, to, ...others } = details;
  const change = to === undefined ? [] : [from === null ? shown(to) : `${shown(from)} → ${shown(to)}`];
  const rest = Object.entries(others).flatMap(([name, value]) =>
    value === null ? [] : [`${NAMES[name] ?? name}: ${shown(value)}`],
  );
  return [...change, ...rest].join(', ');
}
