// The capsule: which memories are shown today, and in which order. Pure and seeded, so that one person sees the same order all
// day on every device, offline too.
import { CAPSULE_MIN_AGE_DAYS, DAY_MS, RANDOM_LIMIT } from '../constants.ts';
import { fnv1a, stirred } from '../fnv.ts';
import type { MemoryHead } from './memory.ts';

/** The day's seed: user, workspace and the date on the person's own calendar (`2026-11-21`). */
export function capsuleSeed(userId: string, workspaceId: string, localDate: string): string {
  return `${userId}/${workspaceId}/${localDate}`;
}

type Candidate = Pick<MemoryHead, 'id' | 'archived' | 'deletedAt' | 'contentStatus' | 'created' | 'tags'>;

/** Archived, deleted and unfinished memories are not shown. */
function mayReturn(memory: Candidate): boolean {
  return !memory.archived && memory.deletedAt === null && memory.contentStatus === 'completed';
}

export interface CapsuleRequest<M = Candidate> {
  seed: string;
  now: Date;
  limit?: number;
  /** Tags that the person wants to see less of, with a weight of 0 (never) to 1; stored on the device. */
  tagWeights?: ReadonlyMap<string, number>;
  /** Further condition, which is checked for the few that would be among the first. */
  isWanted?: (memory: M) => boolean;
}

/** The memories of the capsule; items younger than a week only fill up when fewer than the limit remain. */
export function pickCapsule<M extends Candidate>(memories: Iterable<M>, request: CapsuleRequest<M>): M[] {
  const limit = request.limit ?? RANDOM_LIMIT;
  const youngest = new Date(request.now.getTime() - CAPSULE_MIN_AGE_DAYS * DAY_MS).toISOString();
  // The hash of the seed is continued for each: a whole page of memories is ranked before it is drawn.
  const seed = fnv1a(request.seed);
  const [old, young]: [Ranked<M>[], Ranked<M>[]] = [[], []];
  for (const memory of memories) {
    if (!mayReturn(memory)) continue;
    const rank = stirred(fnv1a(memory.id, seed));
    const best = memory.created <= youngest ? old : young;
    const isAmong = best.length < limit || rank < (best.at(-1)?.rank ?? 0);
    if (!isAmong || !isWelcome(memory, rank, request.tagWeights)) continue;
    if (request.isWanted?.(memory) ?? true) insert(best, { memory, rank }, limit);
  }
  return [...old, ...young].slice(0, limit).map(({ memory }) => memory);
}

interface Ranked<M> {
  memory: M;
  rank: number;
}

/** Into a list by rank that has so many entries at most: sorting thousands for twenty of them takes longer than hashing them. */
function insert<M>(best: Ranked<M>[], entry: Ranked<M>, limit: number): void {
  const place = best.findIndex(({ rank }) => rank > entry.rank);
  best.splice(place === -1 ? best.length : place, 0, entry);
  if (best.length > limit) best.pop();
}

/** The random number follows from the rank, so that a weight leaves out the same memories on every device. */
function isWelcome(
  memory: Candidate,
  rank: number,
  weights: ReadonlyMap<string, number> | undefined,
): boolean {
  if (weights === undefined || weights.size === 0) return true;
  const weight = Math.min(1, ...memory.tags.map((tag) => weights.get(tag) ?? 1));
  return stirred(rank) / 2 ** 32 < weight;
}

/**
 * Memories of this month and day in earlier years, newest first. `localDate` is `2026-11-21`; `dayOf` returns the day of a
 * stored moment on the person's own calendar, where that is known.
 */
export function pickOnThisDay<M extends Candidate>(
  memories: Iterable<M>,
  localDate: string,
  dayOf: (created: string) => string = (created) => created.slice(0, 10),
): M[] {
  const [year = '', ...monthDay] = localDate.split('-');
  const suffix = monthDay.join('-');
  // A day is compared only where the one in UTC is near: reading the calendar for thousands of moments takes a while.
  const noon = Date.parse(`${localDate}T12:00:00Z`);
  const near = new Set([
    '02-29',
    ...[-1, 0, 1].map((days) => new Date(noon + days * DAY_MS).toISOString().slice(5, 10)),
  ]);
  return [...memories]
    .filter((memory) => {
      if (!near.has(memory.created.slice(5, 10)) || !mayReturn(memory)) return false;
      const day = dayOf(memory.created);
      return day.slice(5) === suffix && day.slice(0, 4) < year;
    })
    .sort((a, b) => (a.created < b.created ? 1 : -1));
}
