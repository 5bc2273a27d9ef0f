/**
 * Collects the statements that the product sends while tests run, and those among them that touch rows of workspaces
 * without naming one. Statements that tests send themselves, and migrations, may go across workspaces.
 */
import { Client, Pool } from 'pg';
import { ACROSS_MARK, isAcrossReason } from '#server/db/across.ts';
import { findAcross } from './tenant-statements.ts';

const seen = new Set<string>();
const violations: string[] = [];

/** Code that hands statements on: the author is further up the stack. */
const PLUMBING =
  /\/(server\/db\/(database|prepared-statements|waiting-time|stuck-connections)|watched-statements)\.ts/;
const OWN_CODE = /\/(server|tests)\/[^\s)]*\.ts/;
const FREE = /\/tests\/|\/server\/db\/migrate\.ts/;
/** Frames that are looked through for the author. */
const STACK_DEPTH = 60;

let isWatching = false;

/** Starts to listen, once per process. */
export function watchStatements(): void {
  if (isWatching) return;
  isWatching = true;
  // A statement that is given to the pool reaches its connection from a callback, where the author is off the stack.
  for (const prototype of [Pool.prototype, Client.prototype]) {
    const { query } = prototype;
    Object.defineProperty(prototype, 'query', {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: readonly unknown[]): unknown {
        look(textOf(args[0]));
        return Reflect.apply(query, this, args);
      },
    });
  }
}

/** What was found since the last call, for people. */
export function takeViolations(): string[] {
  return violations.splice(0);
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const text: unknown = Object(query).text;
  return typeof text === 'string' ? text : '';
}

function look(text: string): void {
  if (seen.has(text)) return;
  seen.add(text);
  const tables = tablesAcross(text);
  if (tables.length === 0) return;
  const author = authorOf();
  if (FREE.test(author)) return;
  violations.push(`${tables.join(', ')}: ${author}\n${text}`);
}

function tablesAcross(text: string): readonly string[] {
  const marks = [...text.matchAll(ACROSS_MARK)].map(([, reason]) => reason ?? '');
  if (marks.length > 0 && marks.every(isAcrossReason)) return [];
  try {
    return findAcross(text);
  } catch {
    // Some tests send what PostgreSQL refuses, and look at its answer.
    return [];
  }
}

/** The first place of ours on the stack that does not only hand statements on. */
function authorOf(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = STACK_DEPTH;
  const lines = (new Error('stack').stack ?? '').split('\n');
  Error.stackTraceLimit = limit;
  return lines.find((line) => OWN_CODE.test(line) && !PLUMBING.test(line))?.trim() ?? 'unknown place';
}
