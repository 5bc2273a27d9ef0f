/**
 * Which memories a list shows and in which order, as search parameters of the page's address. Unknown values are
 * ignored, never an error.
 */
import type { MemoryHead } from '#shared/memories/memory.ts';
import { MEMORY_TYPES, ORIGINS } from '#shared/memories/memory-kinds.ts';

const LIST_SCOPES = ['active', 'archived', 'deleted'] as const;
const LIST_SORTS = ['created', 'updated', 'title'] as const;

export type ListScope = (typeof LIST_SCOPES)[number];
export type ListSort = (typeof LIST_SORTS)[number];
/** Facets by which a list can be narrowed, as named in the address. */
export const FACETS = ['space', 'tag', 'type', 'origin'] as const;
export type Facet = (typeof FACETS)[number];

/** Everything that decides the content of a list. */
export interface ListView extends Record<Facet, readonly string[]> {
  scope: ListScope;
  sort: ListSort;
  /** False = the natural direction of the sort: newest first, titles from A. */
  reversed: boolean;
}

function oneOf<const T extends readonly string[]>(list: T, value: string | null): T[number] | undefined {
  return list.find((known) => known === value);
}

function listOf(text: string | null, known?: readonly string[]): string[] {
  const values = (text ?? '').split(',').filter((value) => value !== '' && (known?.includes(value) ?? true));
  return [...new Set(values)];
}

/** Reads the view out of an address. */
export function parseListView(params: URLSearchParams): ListView {
  return {
    scope: oneOf(LIST_SCOPES, params.get('view')) ?? 'active',
    sort: oneOf(LIST_SORTS, params.get('sort')) ?? 'created',
    reversed: params.get('order') === 'reversed',
    space: listOf(params.get('space')),
    tag: listOf(params.get('tag')),
    type: listOf(params.get('type'), MEMORY_TYPES),
    origin: listOf(params.get('origin'), ORIGINS),
  };
}

/** The address's parameters with the view in place of the earlier one; foreign parameters stay. */
export function writeListView(params: URLSearchParams, view: ListView): URLSearchParams {
  const next = new URLSearchParams(params);
  const put = (key: string, value: string, plain: string) => {
    if (value === plain) next.delete(key);
    else next.set(key, value);
  };
  put('view', view.scope, 'active');
  put('sort', view.sort, 'created');
  put('order', view.reversed ? 'reversed' : '', '');
  for (const facet of FACETS) put(facet, view[facet].join(','), '');
  return next;
}

/** Whether a filter narrows the list beyond its scope. */
export function isFiltered(view: ListView): boolean {
  return FACETS.some((facet) => view[facet].length > 0);
}

export function toggleFacet(view: ListView, facet: Facet, value: string): ListView {
  const chosen = view[facet];
  const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
  return { ...view, [facet]: next };
}

export type ListTime = 'created' | 'updated' | 'deletedAt';

/** The time by which a view orders its rows; undefined for another order. What was deleted is dated by when it was. */
export function timeOf({ sort, scope }: Pick<ListView, 'sort' | 'scope'>): ListTime | undefined {
  if (sort === 'title') return undefined;
  return sort === 'created' && scope === 'deleted' ? 'deletedAt' : sort;
}

/** The time that a row is ordered by, shown with and placed under a heading by: the same in all three. */
export function rowTime(row: MemoryHead, by: ListTime | undefined): string {
  return (by && row[by]) ?? row.deletedAt ?? row.created;
}
