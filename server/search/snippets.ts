/** Cuts out of a memory's texts what a search matched. Pure. */
import type { Snippet } from '#shared/memories/search-hit.ts';
import { urlText } from '#shared/memories/search-plan.ts';
import { makeSnippet, type HighlightWords } from '#shared/memories/search-snippet.ts';

/** The texts of a memory that snippets are cut from. */
export interface SnippetTexts {
  title: string | null;
  description: string | null;
  summary: string | null;
  notes: string | null;
  /** Text of the page behind a link, where it was searched. */
  page?: string | null;
  url: string | null;
}

const SNIPPETS_MAX = 3;

/** Pieces of the fields that matched, title first; without any match the beginning of the text. */
export function snippetsOf(texts: SnippetTexts, highlight: HighlightWords): Snippet[] {
  const fields = [
    { field: 'title' as const, text: texts.title ?? '' },
    { field: 'description' as const, text: texts.description ?? '' },
    { field: 'summary' as const, text: texts.summary ?? '' },
    { field: 'notes' as const, text: texts.notes ?? '' },
    { field: 'page' as const, text: texts.page ?? '' },
    { field: 'url' as const, text: urlText(texts.url ?? '') },
  ];
  const pieces = fields
    .filter(({ text }) => text !== '')
    .map(({ field, text }) => {
      const { text: piece, ranges } = makeSnippet(text, highlight);
      return { field, text: piece, ranges };
    });
  const matched = pieces.filter(({ ranges }) => ranges.length > 0);
  return matched.length > 0 ? matched.slice(0, SNIPPETS_MAX) : pieces.slice(1, 2);
}
