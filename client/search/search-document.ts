/** What the index takes in for one memory and how much each field weighs; knows no storage and no ranking formula. */
import { urlText } from '#shared/memories/search-plan.ts';
import { foldText } from '#shared/memories/text-analysis.ts';

/** A memory as search sees it: its texts, the fields that operators ask for, and a stamp to notice changes by. */
export interface SearchDocument {
  id: string;
  title: string;
  tags: readonly string[];
  description: string;
  summary: string;
  notes: string;
  url: string;
  spaceIds: readonly string[];
  type: string;
  origin: string;
  archived: boolean;
  /** UTC milliseconds. */
  created: number;
  /** Any whole number of 32 bits that changes with the content; see `SearchIndex.reconcile`. */
  stamp: number;
}

export const TITLE_FIELD = 0;
export const URL_FIELD = 1;
/** Stands for "not text": terms that only operators look up. */
export const FACET_FIELD = 7;

/** Times a word counts, by field number (title, url, tags, description, summary, notes, unused, facet). */
export const FIELD_WEIGHTS = new Uint8Array([5, 1, 4, 2, 2, 1, 0, 1]);

/** Texts in the order of their field numbers; every tag is a text of its own, so that phrases cannot span two. */
export function textsOf(document: SearchDocument): { field: number; text: string }[] {
  return [
    { field: TITLE_FIELD, text: document.title },
    { field: URL_FIELD, text: urlText(document.url) },
    ...document.tags.map((tag) => ({ field: 2, text: tag })),
    { field: 3, text: document.description },
    { field: 4, text: document.summary },
    { field: 5, text: document.notes },
  ];
}

/**
 * The term under which a field value is filed. Its first character never occurs in analysed text, so these terms
 * cannot be met by words, and they sort before all of them.
 */
export function facetTerm(facet: string, value: string): string {
  return `\u0001${facet}\u0001${foldText(value.toWellFormed())}`;
}

/** Facet terms of a document, without repeats. */
export function facetTermsOf(document: SearchDocument): Set<string> {
  return new Set([
    facetTerm('type', document.type),
    facetTerm('origin', document.origin),
    ...document.tags.map((tag) => facetTerm('tag', tag)),
    ...document.spaceIds.map((id) => facetTerm('space', id)),
  ]);
}
