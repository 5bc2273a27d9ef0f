/** The name of a thread until a person or a language model gives it one. */
import { LIMITS } from '../constants.ts';
import { readContext } from './message-context.ts';

/** The first line of its first message; empty when that has no words. */
export function nameOfThread(message: string): string {
  const line = readContext(message).text.trim().split('\n', 1)[0]?.trim() ?? '';
  if (line.length <= LIMITS.name) return line;
  // Never cuts a surrogate pair.
  return `${line
    .slice(0, LIMITS.name - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}
