/**
 * Why a memory is shown today, as stated by the replica: an anniversary, a space or tag shared with recent saves, or the time
 * since its last change.
 */
import { DAY_MS } from '#shared/constants.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { formatDate, weekdayName } from '#shared/english.ts';
import { localDay, localMonth, monthLabel, noonOf } from '#client/ui/local-day.ts';

type Known = Pick<MemoryHead, 'id' | 'created' | 'updated' | 'createdBy' | 'deletedAt' | 'tags'>;

export interface CapsuleReason {
  kind: 'anniversary' | 'space' | 'tag' | 'unchanged' | 'saved';
  text: string;
}

/** Saves of this person on recent days before `day`. */
export interface RecentSaves {
  day: string;
  /** Space → its name and the last day on which one of its memories was saved. */
  spaces: ReadonlyMap<string, { name: string; day: string }>;
  tags: ReadonlyMap<string, string>;
}

type SpacesOf = (memoryId: string) => readonly { id: string; name: string }[];

/** Days before today whose saves bring others back; not today itself, so that the selection stays all day. */
const RECENT_DAYS = 7;
/** A tag on more memories than this says too little about any of them. */
const TAG_USES = 40;
const UNCHANGED_DAYS = 60;
const MONTHS_AGO = new Map([
  [1, 'A month ago today'],
  [3, 'Three months ago today'],
  [6, 'Six months ago today'],
]);

function daysBetween(earlier: string, later: string): number {
  return Math.round((noonOf(later).getTime() - noonOf(earlier).getTime()) / DAY_MS);
}

/** Collects the saves of the last days from rows that are newest first; `day` is today on the reader's calendar. */
export function recentSaves(
  rows: readonly Known[],
  { day, userId, spacesOf }: { day: string; userId: string; spacesOf: SpacesOf },
): RecentSaves {
  const spaces = new Map<string, { name: string; day: string }>();
  const tags = new Map<string, string>();
  const oldest = new Date(noonOf(day).getTime() - (RECENT_DAYS + 1) * DAY_MS).toISOString();
  const older = rows.findIndex(({ created }) => created < oldest);
  const own = rows
    .slice(0, older === -1 ? rows.length : older)
    .filter(({ createdBy }) => createdBy === userId);
  const uses = new Map<string, number>(own.flatMap((row) => row.tags.map((tag) => [tag, 0] as const)));
  for (const row of uses.size === 0 ? [] : rows) {
    for (const tag of row.tags) {
      const count = uses.get(tag);
      if (count !== undefined) uses.set(tag, count + 1);
    }
  }
  for (const row of own) {
    const saved = localDay(row.created);
    if (saved >= day || daysBetween(saved, day) > RECENT_DAYS) continue;
    for (const { id, name } of spacesOf(row.id)) {
      if ((spaces.get(id)?.day ?? '') < saved) spaces.set(id, { name, day: saved });
    }
    for (const tag of row.tags) {
      if ((uses.get(tag) ?? 0) <= TAG_USES && (tags.get(tag) ?? '') < saved) tags.set(tag, saved);
    }
  }
  return { day, spaces, tags };
}

function dayWords(saved: string, day: string): string {
  return daysBetween(saved, day) === 1 ? 'yesterday' : `on ${weekdayName(noonOf(saved))}`;
}

function anniversary(created: string, day: string): string | undefined {
  const saved = localDay(created);
  if (saved.slice(8) !== day.slice(8) || saved >= day) return undefined;
  const months =
    (Number(day.slice(0, 4)) - Number(saved.slice(0, 4))) * 12 +
    Number(day.slice(5, 7)) -
    Number(saved.slice(5, 7));
  if (months % 12 !== 0) return MONTHS_AGO.get(months);
  return months === 12 ? 'A year ago today' : `${months / 12} years ago today`;
}

/** First space or tag that an older memory shares with recent saves. */
export function tieToRecent(row: Known, recent: RecentSaves, spacesOf: SpacesOf): CapsuleReason | undefined {
  if (recent.spaces.size > 0) {
    for (const { id } of spacesOf(row.id)) {
      const space = recent.spaces.get(id);
      if (space) {
        const when = dayWords(space.day, recent.day);
        return { kind: 'space', text: `In ${space.name}, like what you saved ${when}` };
      }
    }
  }
  for (const tag of row.tags) {
    const saved = recent.tags.get(tag);
    if (saved !== undefined)
      return { kind: 'tag', text: `Tagged #${tag}, like what you saved ${dayWords(saved, recent.day)}` };
  }
  return undefined;
}

/** The best reason for a memory. */
export function capsuleReason(row: Known, recent: RecentSaves, spacesOf: SpacesOf): CapsuleReason {
  const years = anniversary(row.created, recent.day);
  if (years !== undefined) return { kind: 'anniversary', text: years };
  const saved = localDay(row.created);
  // A recent save would only match itself.
  const tie = daysBetween(saved, recent.day) > RECENT_DAYS ? tieToRecent(row, recent, spacesOf) : undefined;
  if (tie) return tie;
  if (daysBetween(localDay(row.updated), recent.day) >= UNCHANGED_DAYS)
    return { kind: 'unchanged', text: `Not changed since ${monthLabel(localMonth(row.updated))}` };
  return { kind: 'saved', text: `Saved on ${formatDate(new Date(row.created))}` };
}
