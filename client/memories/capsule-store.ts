/**
 * Settings of the capsule in this browser: the position in today's cards, and the kept ones that rest for some days.
 */
import { DAY_MS } from '#shared/constants.ts';
import { CAPSULE_REST_DAYS } from '#shared/memories/limits.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

const DECK = 'loci-capsule-deck';
const KEPT = 'loci-capsule-kept';

/** The cards of a day and filter in their order, and how many were passed. */
export interface Deck {
  key: string;
  ids: readonly string[];
  at: number;
}

function parsed(key: string): unknown {
  try {
    return JSON.parse(readSetting(key) ?? 'null');
  } catch {
    // Not written by this code; it is only a position in a list.
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function readDeck(key: string): Deck | undefined {
  const stored = parsed(DECK);
  if (typeof stored !== 'object' || stored === null) return undefined;
  if (!('key' in stored) || stored.key !== key || !('ids' in stored) || !Array.isArray(stored.ids))
    return undefined;
  const ids: unknown[] = stored.ids;
  const at = 'at' in stored && typeof stored.at === 'number' ? stored.at : 0;
  return ids.every(isText) ? { key, ids, at: Math.min(Math.max(0, Math.trunc(at)), ids.length) } : undefined;
}

/** Stores the deck in place of the one before. */
export function saveDeck(deck: Deck): void {
  writeSetting(DECK, JSON.stringify(deck));
}

/** Memory → the day on which it was kept, as `2026-11-21`. */
function readKept(): Map<string, string> {
  const stored = parsed(KEPT);
  const entries: unknown[] = Array.isArray(stored) ? stored : [];
  return new Map(
    entries.flatMap((entry) => {
      if (!Array.isArray(entry)) return [];
      const [id, day]: unknown[] = entry;
      return isText(id) && isText(day) ? [[id, day] as const] : [];
    }),
  );
}

function rests(kept: string, day: string): boolean {
  return Date.parse(day) - Date.parse(kept) < CAPSULE_REST_DAYS * DAY_MS;
}

/** Memories that were kept on an earlier day and rest; those of today stay, so that the selection is the same all day. */
export function restingMemories(day: string): ReadonlySet<string> {
  return new Set([...readKept()].flatMap(([id, kept]) => (kept < day && rests(kept, day) ? [id] : [])));
}

/** Lets a memory rest, or ends its rest. */
export function keepMemory(id: string, day: string, kept = true): void {
  const all = new Map([...readKept()].filter(([, since]) => rests(since, day)));
  if (kept) all.set(id, day);
  else all.delete(id);
  writeSetting(KEPT, all.size === 0 ? undefined : JSON.stringify([...all]));
}
