/**
 * The query language of search: words, "quoted phrases", `-negation` and `name:value` operators, parsed into clauses
 * and formatted back. Pure and total: every text is a query, an unknown operator is plain text, and nothing throws.
 */
import { LIMITS } from '../constants.ts';

/** Operators that need a value; `is:archived` and the two dates have clauses of their own. */
export const SEARCH_OPERATORS = ['tag', 'space', 'type', 'origin', 'url', 'title'] as const;

type SearchOperator = (typeof SEARCH_OPERATORS)[number];

/** One condition on a memory; a negated clause requires that the memory does not meet it. */
export type SearchClause =
  | { kind: 'word'; text: string; negated: boolean }
  /** `open`: the closing quote is not typed yet, so the last word may still grow. */
  | { kind: 'phrase'; text: string; negated: boolean; open: boolean }
  | { kind: SearchOperator; value: string; negated: boolean }
  | { kind: 'archived'; negated: boolean }
  /** `value` is YYYY, YYYY-MM or YYYY-MM-DD and names a day that exists. */
  | { kind: 'before' | 'after'; value: string; negated: boolean };

const CLAUSES_MAX = 64;
const TEXT_MAX = 200;

const quoteMarks = /[\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02]/g;
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\ufeff]/gu;
const operatorHead = /^([a-z]+):(?=\S)/i;
const dateForm = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/** Parses a query; clauses keep their order and spelling. Clauses beyond the length limit are ignored. */
export function parseSearchQuery(input: string): SearchClause[] {
  const text = input
    .slice(0, LIMITS.searchQuery * 4)
    .toWellFormed()
    .replace(quoteMarks, '"')
    .replace(invisible, ' ');
  const clauses: SearchClause[] = [];
  let room = LIMITS.searchQuery;
  let at = 0;
  while (at < text.length && clauses.length < CLAUSES_MAX) {
    if (isSpace(text, at)) {
      at += 1;
      continue;
    }
    const { clause, next } = readClause(text, at);
    at = next;
    if (!clause) continue;
    room -= formatClause(clause).length;
    if (room < 0) break;
    clauses.push(clause);
  }
  return clauses;
}

/** Writes clauses as text that reads back into the same clauses. */
export function formatSearchQuery(clauses: readonly SearchClause[]): string {
  return clauses.map(formatClause).join(' ');
}

/** Start of the period that a date clause names, in UTC milliseconds; undefined when no such day exists. */
export function dateClauseTime(value: string): number | undefined {
  const match = dateForm.exec(value);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1)];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : undefined;
}

function readClause(text: string, start: number): { clause: SearchClause | undefined; next: number } {
  const negated = text[start] === '-' && start + 1 < text.length && !isSpace(text, start + 1);
  const at = negated ? start + 1 : start;
  if (text[at] === '"') {
    const quoted = readQuoted(text, at);
    return { clause: phrase(quoted.value, negated, !quoted.closed), next: quoted.next };
  }
  const rawEnd = endOfWord(text, at);
  const raw = text.slice(at, rawEnd);
  const name = operatorHead.exec(raw)?.[1];
  if (name === undefined || !isOperatorName(name)) return { clause: word(raw, negated), next: rawEnd };
  const valueAt = at + name.length + 1;
  const value =
    text[valueAt] === '"' ? readQuoted(text, valueAt) : { value: text.slice(valueAt, rawEnd), next: rawEnd };
  return { clause: operator(name.toLowerCase(), value.value, negated), next: value.next };
}

function readQuoted(text: string, at: number): { value: string; next: number; closed: boolean } {
  const close = text.indexOf('"', at + 1);
  if (close === -1) return { value: text.slice(at + 1), next: text.length, closed: false };
  return { value: text.slice(at + 1, close), next: close + 1, closed: true };
}

function word(raw: string, negated: boolean): SearchClause {
  return { kind: 'word', text: cut(raw), negated };
}

function phrase(raw: string, negated: boolean, open: boolean): SearchClause | undefined {
  const text = tidy(raw);
  return text === '' ? undefined : { kind: 'phrase', text, negated, open };
}

function operator(name: string, raw: string, negated: boolean): SearchClause | undefined {
  const value = tidy(raw);
  if (value === '') return undefined;
  if (name === 'is' && value.toLowerCase() === 'archived') return { kind: 'archived', negated };
  if ((name === 'before' || name === 'after') && dateClauseTime(value) !== undefined) {
    return { kind: name, value, negated };
  }
  const known = SEARCH_OPERATORS.find((each) => each === name);
  if (known) return { kind: known, value, negated };
  const plain = tidy(`${name}:${value}`);
  return /\s/.test(plain) ? phrase(plain, negated, false) : word(plain, negated);
}

function isOperatorName(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    lower === 'is' ||
    lower === 'before' ||
    lower === 'after' ||
    SEARCH_OPERATORS.some((each) => each === lower)
  );
}

function formatClause(clause: SearchClause): string {
  const sign = clause.negated ? '-' : '';
  switch (clause.kind) {
    case 'word':
      return sign + clause.text;
    case 'phrase':
      return `${sign}"${clause.text}${clause.open ? '' : '"'}`;
    case 'archived':
      return `${sign}is:archived`;
    default:
      return `${sign}${clause.kind}:${quoteIfNeeded(clause.value)}`;
  }
}

function quoteIfNeeded(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}

// White space inside quotes never matters, and a cut must not leave half of a surrogate pair.
function tidy(raw: string): string {
  return cut(raw.trim().replace(/\s+/g, ' ')).trim();
}

function cut(raw: string): string {
  if (raw.length <= TEXT_MAX) return raw;
  const splitsPair = (raw.charCodeAt(TEXT_MAX) & 0xfc00) === 0xdc00;
  return raw.slice(0, splitsPair ? TEXT_MAX - 1 : TEXT_MAX);
}

function endOfWord(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isSpace(text, end)) end += 1;
  return end;
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text[at] ?? ' ');
}
