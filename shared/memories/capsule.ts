// The capsule: which memories are shown today, and in which order. Pure and seeded, so that one person sees the same order all
// day on every device, offline too.
import { DAY_MS } from '../constants.ts';
import { CAPSULE_MIN_AGE_DAYS, CAPSULE_TIED, RANDOM_LIMIT } from './limits.ts';
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
  /** Further condition; called for the few that would be among the first. */
  isWanted?: (memory: M) => boolean;
  /** Of which CAPSULE_TIED at most come before the others; called like `isWanted`. */
  isTied?: (memory: M) => boolean;
}

/** The best entries by rank, best first. Thousands are hashed for twenty of them; sorting them all would take longer. */
interface Ranking<M> {
  limit: number;
  entries: { memory: M; rank: number }[];
}

const admits = <M>({ limit, entries }: Ranking<M>, rank: number): boolean =>
  entries.length < limit || rank < (entries.at(-1)?.rank ?? 0);

function insert<M>({ limit, entries }: Ranking<M>, memory: M, rank: number): void {
  const place = entries.findIndex((entry) => entry.rank > rank);
  entries.splice(place === -1 ? entries.length : place, 0, { memory, rank });
  if (entries.length > limit) entries.pop();
}

/** The memories of the capsule; items younger than a week only fill up when fewer than the limit remain. */
export function pickCapsule<M extends Candidate>(memories: Iterable<M>, request: CapsuleRequest<M>): M[] {
  const { limit = RANDOM_LIMIT, isWanted = () => true, isTied = () => false } = request;
  const youngest = new Date(request.now.getTime() - CAPSULE_MIN_AGE_DAYS * DAY_MS).toISOString();
  // The hash of the seed is continued for each: a whole page of memories is ranked before it is drawn.
  const seed = fnv1a(request.seed);
  const tied: Ranking<M> = { limit: Math.min(limit, CAPSULE_TIED), entries: [] };
  const [old, young]: [Ranking<M>, Ranking<M>] = [
    { limit, entries: [] },
    { limit, entries: [] },
  ];
  for (const memory of memories) {
    if (!mayReturn(memory)) continue;
    const rank = stirred(fnv1a(memory.id, seed));
    const others = memory.created <= youngest ? old : young;
    const mayBeTied = others === old && admits(tied, rank);
    if (!mayBeTied && !admits(others, rank)) continue;
    if (!isWelcome(memory, rank, request.tagWeights) || !isWanted(memory)) continue;
    if (mayBeTied && isTied(memory)) insert(tied, memory, rank);
    if (admits(others, rank)) insert(others, memory, rank);
  }
  const ranked = [tied, old, young].flatMap(({ entries }) => entries.map(({ memory }) => memory));
  return [...new Set(ranked)].slice(0, limit);
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
