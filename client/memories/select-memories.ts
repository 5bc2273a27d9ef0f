/**
 * Picks and orders the memories of a list, and counts what each value of a filter would leave.
 * Pure and quick: a replica may hold fifty thousand rows, and this runs whenever one of them changes.
 */
import type { MemoryHead } from '#shared/memories/memory.ts';
import { FACETS, rowTime, timeOf, type Facet, type ListView } from '#client/memories/list-view.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';

/** Which memory is filed in which space. */
export interface SpaceLink {
  spaceId: string;
  memoryId: string;
}

/** Rows of a list. `newestFirst` must be ordered by created time. */
export interface ListSource {
  newestFirst: readonly MemoryHead[];
  links: readonly SpaceLink[];
  /** The rows are already filtered; the scope of the view excludes none. */
  everyScope?: boolean;
}

type Test = (row: MemoryHead) => boolean;

/** Whether a row belongs to the scope, before any filter. */
export function inScope(row: MemoryHead, { scope }: Pick<ListView, 'scope'>): boolean {
  if (scope === 'deleted') return row.deletedAt !== null;
  return row.deletedAt === null && row.archived === (scope === 'archived');
}

/** Tags must all be there; of the other facets any chosen value will do. */
function testOf(facet: Facet, view: ListView, links: readonly SpaceLink[]): Test | undefined {
  const chosen = view[facet];
  if (chosen.length === 0) return undefined;
  if (facet === 'tag') return (row) => chosen.every((tag) => row.tags.includes(tag));
  if (facet === 'space') {
    const filed = new Set<string>();
    for (const { spaceId, memoryId } of links) if (chosen.includes(spaceId)) filed.add(memoryId);
    return (row) => filed.has(row.id);
  }
  return (row) => chosen.includes(row[facet]);
}

function passing(source: ListSource, view: ListView, facets: readonly Facet[]): MemoryHead[] {
  const { newestFirst, links, everyScope = false } = source;
  const tests = facets.map((facet) => testOf(facet, view, links)).filter((test) => test !== undefined);
  const [deleted, archived] = [view.scope === 'deleted', view.scope === 'archived'];
  const rows: MemoryHead[] = [];
  // A plain loop: this runs over every row whenever one of them changes.
  for (const row of newestFirst) {
    const isThere = deleted ? row.deletedAt !== null : row.deletedAt === null && row.archived === archived;
    if ((everyScope || isThere) && tests.every((test) => test(row))) rows.push(row);
  }
  return rows;
}

/** Rows never change in place, so the key of a row is computed once. */
const titleKeys = new WeakMap<MemoryHead, string>();

/** A text that sorts as people expect: without case and accents, numbers by value. */
function titleKey(row: MemoryHead): string {
  const known = titleKeys.get(row);
  if (known !== undefined) return known;
  const plain = memoryTitle(row)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const key = plain.replace(/\d+/g, (digits) => digits.padStart(12, '0'));
  titleKeys.set(row, key);
  return key;
}

function sorted(rows: MemoryHead[], view: ListView): MemoryHead[] {
  const by = timeOf(view);
  // Replicas store rows newest first, so the default order needs no sorting.
  if (by === 'created') return view.reversed ? rows.toReversed() : rows;
  const turn = view.reversed ? -1 : 1;
  if (by === undefined) {
    const keyed = rows.map((row) => ({ row, key: titleKey(row) }));
    keyed.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -turn : turn));
    return keyed.map(({ row }) => row);
  }
  return rows.sort((a, b) => {
    const one = rowTime(a, by);
    const other = rowTime(b, by);
    return one === other ? 0 : one < other ? turn : -turn;
  });
}

/** The rows of a view in its order. */
export function selectMemories(source: ListSource, view: ListView): readonly MemoryHead[] {
  return sorted(passing(source, view, FACETS), view);
}

/** How often each value of a facet occurs among the rows that the view would show if it were chosen. */
export function countFacet(source: ListSource, view: ListView, facet: Facet): ReadonlyMap<string, number> {
  // Several tags narrow, several values of another facet widen: only the latter do not limit each other.
  const limiting = FACETS.filter((other) => other !== facet || facet === 'tag');
  const rows = passing(source, view, limiting);
  const counts = new Map<string, number>();
  const count = (value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  if (facet === 'space') {
    const ids = new Set<string>(rows.map(({ id }) => id));
    for (const { spaceId, memoryId } of source.links) if (ids.has(memoryId)) count(spaceId);
  } else if (facet === 'tag') {
    for (const row of rows) row.tags.forEach(count);
  } else {
    for (const row of rows) count(row[facet]);
  }
  return counts;
}
