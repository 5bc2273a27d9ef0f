/**
 * The oracle of the index: returns the same plan by reading every document from the beginning. It shares analysis and
 * plan with the index, and nothing else; it must stay too simple to be wrong.
 */
import { alternativesOf, urlText, type SearchPlan, type TermGroup } from '#shared/memories/search-plan.ts';
import { foldText, termsOf } from '#shared/memories/text-analysis.ts';
import { stemOf } from '#shared/search/stem.ts';
import { BM25_B, BM25_K1 } from '#shared/search/segment-search.ts';
import type { SearchDocument } from '#shared/search/search-document.ts';

/** A complete document from the few fields that a test cares about. */
export function makeDocument(id: string, fields: Partial<SearchDocument> = {}): SearchDocument {
  return {
    id,
    title: '',
    tags: [],
    description: '',
    summary: '',
    notes: '',
    url: '',
    spaceIds: [],
    type: 'note',
    origin: 'manual_entry',
    archived: false,
    created: 0,
    stamp: 0,
    ...fields,
  };
}

/** Ids of all documents that meet the plan; archived ones only when the plan asks for them. */
export function naiveMatches(documents: Iterable<SearchDocument>, plan: SearchPlan): string[] {
  return [...documents].filter((document) => meets(document, plan)).map((document) => document.id);
}

/** BM25 over weighted counts, straight from the formula; for plans of single words without prefix. */
export function naiveScores(
  documents: readonly SearchDocument[],
  words: readonly string[],
): Map<string, number> {
  const weights = { title: 5, tags: 4, description: 2, summary: 2, notes: 1, url: 1 };
  const weighted = documents.map((document) => {
    const counts = new Map<string, number>();
    let length = 0;
    for (const [field, weight] of Object.entries(weights)) {
      for (const { text } of textsIn(document).filter((each) => each.field === field)) {
        for (const term of termsOf(text)) {
          counts.set(term, (counts.get(term) ?? 0) + weight);
          length += weight;
        }
      }
    }
    return { id: document.id, counts, length };
  });
  const mean = weighted.reduce((sum, each) => sum + each.length, 0) / weighted.length;
  const scores = new Map<string, number>();
  for (const word of words) {
    const holders = weighted.filter((each) => each.counts.has(word));
    const idf = Math.log(1 + (weighted.length - holders.length + 0.5) / (holders.length + 0.5));
    for (const { id, counts, length } of holders) {
      const count = counts.get(word) ?? 0;
      const norm = BM25_K1 * (1 - BM25_B + (BM25_B * length) / mean);
      scores.set(id, (scores.get(id) ?? 0) + (idf * count * (BM25_K1 + 1)) / (count + norm));
    }
  }
  return scores;
}

function meets(document: SearchDocument, plan: SearchPlan): boolean {
  const facets = {
    tag: document.tags.map(foldText),
    space: document.spaceIds.map(foldText),
    type: [foldText(document.type)],
    origin: [foldText(document.origin)],
  };
  return (
    document.archived === (plan.archived ?? false) &&
    document.created >= plan.from &&
    document.created < plan.until &&
    plan.facets.every(
      (test) => test.values.some((value) => facets[test.facet].includes(value)) !== test.negated,
    ) &&
    plan.required.every((group) => holds(document, group, !group.exact)) &&
    !plan.excluded.some((group) => holds(document, group, false))
  );
}

function holds(document: SearchDocument, group: TermGroup, inflected: boolean): boolean {
  const single = group.terms.length === 1;
  return textsIn(document)
    .filter(({ field }) => group.field === 'any' || field === group.field)
    .some(({ text }) => {
      const terms = termsOf(text);
      const forms = single && inflected ? alternativesOf(group) : [];
      if (terms.some((term) => forms.some((form) => term === form || stemOf(term) === stemOf(form))))
        return true;
      return terms.some((_, start) =>
        group.terms.every((term, index) => sits(terms[start + index], term, index, group)),
      );
    });
}

function sits(found: string | undefined, term: string, index: number, group: TermGroup): boolean {
  if (found === undefined) return false;
  return group.prefix && index === group.terms.length - 1 ? found.startsWith(term) : found === term;
}

function textsIn(document: SearchDocument): { field: string; text: string }[] {
  const { title, tags, description, summary, notes, url } = document;
  return [
    { field: 'title', text: title },
    ...tags.map((text) => ({ field: 'tags', text })),
    { field: 'description', text: description },
    { field: 'summary', text: summary },
    { field: 'notes', text: notes },
    { field: 'url', text: urlText(url) },
  ];
}
