/** The indexed fields of a memory and the weight of each. */
import { urlText } from '../memories/search-plan.ts';
import { foldText } from '../memories/text-analysis.ts';

/** A memory as search sees it: its texts, the fields of operators, and a stamp that detects changes. */
export interface SearchDocument {
  id: string;
  title: string;
  tags: readonly string[];
  description: string;
  summary: string;
  notes: string;
  /** Text of the page behind a link. */
  page?: string;
  url: string;
  spaceIds: readonly string[];
  type: string;
  origin: string;
  archived: boolean;
  /** UTC milliseconds. */
  created: number;
  /** Any whole number of 32 bits that changes with the content; see `SearchIndex.reconcile`. */
  stamp: number;
  /** Values by facet beyond those above, for callers that filter by more; see `SearchConditions.facets`. */
  facets?: Readonly<Record<string, readonly string[]>>;
}

export const TITLE_FIELD = 0;
export const URL_FIELD = 1;
/** Field of terms that are not text and only used by operators. */
export const FACET_FIELD = 7;

/** Times a word counts, by field number (title, url, tags, description, summary, notes, page, facet). */
export const FIELD_WEIGHTS = new Uint8Array([5, 1, 4, 2, 2, 1, 1, 1]);

/** Texts in the order of their field numbers; every tag is a text of its own, so that phrases cannot span two. */
export function textsOf(document: SearchDocument): { field: number; text: string }[] {
  return [
    { field: TITLE_FIELD, text: document.title },
    { field: URL_FIELD, text: urlText(document.url) },
    ...document.tags.map((tag) => ({ field: 2, text: tag })),
    { field: 3, text: document.description },
    { field: 4, text: document.summary },
    { field: 5, text: document.notes },
    { field: 6, text: document.page ?? '' },
  ];
}

/**
 * The term under which a field value is filed. Its first character never occurs in analysed text, so these terms
 * cannot be met by words, and they sort before all of them.
 */
export function facetTerm(facet: string, value: string): string {
  return `\u0001${facet}\u0001${foldText(value.toWellFormed())}`;
}

export function facetTermsOf(document: SearchDocument): Set<string> {
  return new Set([
    facetTerm('type', document.type),
    facetTerm('origin', document.origin),
    ...document.tags.map((tag) => facetTerm('tag', tag)),
    ...document.spaceIds.map((id) => facetTerm('space', id)),
    ...Object.entries(document.facets ?? {}).flatMap(([facet, values]) =>
      values.map((value) => facetTerm(facet, value)),
    ),
  ]);
}
