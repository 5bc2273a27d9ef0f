/**
 * Decides which documents of a segment may be found at all: valid ones that meet the operators and the caller's conditions.
 * Works on document numbers and bits; it does not rank.
 */
import type { FacetTest, SearchPlan, TermGroup } from '../memories/search-plan.ts';
import { findDocument, idKeyOf } from './id-table.ts';
import { findPhrase } from './phrase-match.ts';
import { markDocuments, type Scratch } from './postings.ts';
import { fillSlot, singleTerm, slotOf } from './query-slots.ts';
import { facetTerm } from './search-document.ts';
import { docCountOf, type Segment } from './segment.ts';
import { findTerm } from './term-table.ts';

/** Conditions beside the query itself; each list is met by any of its values. */
export interface SearchConditions {
  /** `exclude` by default, unless the query has `is:archived`. */
  archived?: 'exclude' | 'include' | 'only';
  spaceIds?: readonly string[];
  tags?: readonly string[];
  types?: readonly string[];
  origins?: readonly string[];
  /** Ids by the folded name or slug after `space:`; text without an entry is an id. */
  spaceNames?: Readonly<Record<string, readonly string[]>>;
  /** Spaces whose memories are passed by id, because the index does not have all of their links. */
  spaceMembers?: Readonly<Record<string, readonly string[]>>;
  /** Values by the name of a facet that documents carry in `facets`. */
  facets?: Readonly<Record<string, readonly string[]>>;
}

/** True for documents that may be found; valid until the scratch's conditions are used again. */
export type DocumentFilter = (doc: number) => boolean;

/** All exclusions share one bit: one of them is enough to exclude a document. */
const FORBIDDEN_BIT = 1 << 30;
const LAST_BIT = 1 << 29;

interface Condition {
  negated: boolean;
  mark(bit: number): void;
}

/** Prepares the filter of one search on one segment; clears and fills `scratch.conditions` when the search needs it. */
export function prepareFilter(
  segment: Segment,
  plan: SearchPlan,
  conditions: SearchConditions,
  scratch: Scratch,
): DocumentFilter {
  const { need, forbid } = markConditions(segment, plan, conditions, scratch);
  const { deleted, data } = segment;
  const { archived, created } = data;
  const bits = scratch.conditions;
  const forbidden = archivedToForbid(plan, conditions);
  const dated = plan.from !== -Infinity || plan.until !== Infinity;
  const marked = (need | forbid) !== 0;
  return (doc) => {
    if (deleted[doc] === 1 || archived[doc] === forbidden) return false;
    if (marked && ((bits[doc] ?? 0) & (need | forbid)) !== need) return false;
    if (!dated) return true;
    const time = created[doc] ?? 0;
    return time >= plan.from && time < plan.until;
  };
}

/** The value of the archived field that is not wanted; 2, which no document has, when both are. */
function archivedToForbid(plan: SearchPlan, conditions: SearchConditions): number {
  if (plan.archived !== undefined) return plan.archived ? 0 : 1;
  const wish = conditions.archived ?? 'exclude';
  return wish === 'include' ? 2 : wish === 'only' ? 0 : 1;
}

function markConditions(
  segment: Segment,
  plan: SearchPlan,
  conditions: SearchConditions,
  scratch: Scratch,
): { need: number; forbid: number } {
  const mark = conditionMarker(segment, scratch, conditions.spaceMembers ?? {});
  const all = [
    ...plan.facets.map((test) => facetCondition(test, conditions, mark)),
    ...plan.excluded.map((group) => exclusion(segment, group, scratch)),
    ...callerConditions(conditions, mark),
  ];
  if (all.length > 0) scratch.conditions.fill(0, 0, docCountOf(segment));
  const masks = { need: 0, forbid: 0 };
  for (const condition of all) {
    const bit = condition.negated ? FORBIDDEN_BIT : nextBit(masks.need);
    condition.mark(bit);
    masks[condition.negated ? 'forbid' : 'need'] |= bit;
  }
  return masks;
}

// Beyond thirty conditions the last bit is shared: a document then needs one of those that share it.
function nextBit(need: number): number {
  return Math.min(2 ** (32 - Math.clz32(need)), LAST_BIT);
}

type Marker = (facet: string, values: readonly string[]) => (bit: number) => void;

function conditionMarker(
  segment: Segment,
  scratch: Scratch,
  spaceMembers: Readonly<Record<string, readonly string[]>>,
): Marker {
  return (facet, values) => (bit) => {
    for (const value of values) {
      if (facet === 'space' && Object.hasOwn(spaceMembers, value)) {
        markIds(segment, spaceMembers[value] ?? [], scratch, bit);
        continue;
      }
      const term = findTerm(segment.data, facetTerm(facet, value));
      if (term !== -1) markDocuments(segment.data, singleTerm(term, 1, 0), scratch.conditions, bit);
    }
  };
}

function markIds(segment: Segment, ids: readonly string[], { conditions }: Scratch, bit: number): void {
  for (const id of ids) {
    const doc = findDocument(segment.data, idKeyOf(id));
    if (doc !== -1) conditions[doc] = (conditions[doc] ?? 0) | bit;
  }
}

function facetCondition(test: FacetTest, { spaceNames = {} }: SearchConditions, mark: Marker): Condition {
  const values = test.values.flatMap((value) => {
    const named = test.facet === 'space' && Object.hasOwn(spaceNames, value) ? spaceNames[value] : undefined;
    return named ?? [value];
  });
  return { negated: test.negated, mark: mark(test.facet, values) };
}

function callerConditions(conditions: SearchConditions, mark: Marker): Condition[] {
  const { spaceIds, tags, types, origins, facets } = conditions;
  const lists = { space: spaceIds, tag: tags, type: types, origin: origins, ...facets };
  return Object.entries(lists).flatMap(([facet, values]) =>
    values ? [{ negated: false, mark: mark(facet, values) }] : [],
  );
}

function exclusion(segment: Segment, group: TermGroup, scratch: Scratch): Condition {
  return {
    negated: true,
    mark(bit) {
      const fillings = group.terms.map((_, index) =>
        fillSlot(segment, slotOf({ ...group, exact: true }, index)),
      );
      if (fillings.length === 1) {
        for (const use of fillings[0] ?? []) markDocuments(segment.data, use, scratch.conditions, bit);
        return;
      }
      for (const doc of findPhrase(segment, group, fillings, () => true)) {
        scratch.conditions[doc] = (scratch.conditions[doc] ?? 0) | bit;
      }
    },
  };
}
