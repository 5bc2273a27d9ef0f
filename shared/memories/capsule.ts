// The capsule: which memories are shown today, and in which order. Pure and seeded, so that one person sees the same order all
// day on every device, offline too; the server orders GET random by the same rank.
import { CAPSULE_MIN_AGE_DAYS, DAY_MS, RANDOM_LIMIT } from '../constants.ts';
import { addressOf } from '../hash.ts';
import type { MemoryHead } from './memory.ts';

/** The day's seed: user, workspace and the date on the person's own calendar (`2026-11-21`). */
export function capsuleSeed(userId: string, workspaceId: string, localDate: string): string {
  return `${userId}/${workspaceId}/${localDate}`;
}

/** Rank of a memory under a seed; lists are sorted by it. In SQL: encode(sha256((seed || id)::bytea), 'hex'). */
function capsuleRank(seed: string, id: string): string {
  return addressOf(seed + id).hash;
}

type Candidate = Pick<MemoryHead, 'id' | 'archived' | 'deletedAt' | 'contentStatus' | 'created' | 'tags'>;

/** Archived, deleted and unfinished memories are not shown. */
function mayReturn(memory: Candidate): boolean {
  return !memory.archived && memory.deletedAt === null && memory.contentStatus === 'completed';
}

export interface CapsuleRequest {
  seed: string;
  now: Date;
  limit?: number;
  /** Tags that the person wants to see less of, with a weight of 0 (never) to 1; stored on the device. */
  tagWeights?: ReadonlyMap<string, number>;
}

/** The memories of the capsule; items younger than a week only fill up when fewer than the limit remain. */
export function pickCapsule<M extends Candidate>(memories: Iterable<M>, request: CapsuleRequest): M[] {
  const limit = request.limit ?? RANDOM_LIMIT;
  const youngest = request.now.getTime() - CAPSULE_MIN_AGE_DAYS * DAY_MS;
  const ranked = [...memories]
    .filter(mayReturn)
    .map((memory) => ({ memory, rank: capsuleRank(request.seed, memory.id) }))
    .filter(({ memory, rank }) => isWelcome(memory, rank, request.tagWeights))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const old = ranked.filter(({ memory }) => Date.parse(memory.created) <= youngest);
  const young = ranked.filter(({ memory }) => Date.parse(memory.created) > youngest);
  return [...old, ...young].slice(0, limit).map(({ memory }) => memory);
}

/** The rank doubles as the random number, so that a weight leaves out the same share on every device. */
function isWelcome(
  memory: Candidate,
  rank: string,
  weights: ReadonlyMap<string, number> | undefined,
): boolean {
  if (weights === undefined || weights.size === 0) return true;
  const weight = Math.min(1, ...memory.tags.map((tag) => weights.get(tag) ?? 1));
  return Number.parseInt(rank.slice(-6), 16) / 0x1_00_00_00 < weight;
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
  return [...memories]
    .filter((memory) => {
      if (!mayReturn(memory)) return false;
      const day = dayOf(memory.created);
      return day.slice(5) === suffix && day.slice(0, 4) < year;
    })
    .sort((a, b) => (a.created < b.created ? 1 : -1));
}
