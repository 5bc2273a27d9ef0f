/** Cuts out of a memory's texts what a search matched. Pure. */
import type { Memory } from '#shared/memories/memory.ts';
import type { Snippet } from '#shared/memories/search-hit.ts';
import { urlText } from '#shared/memories/search-plan.ts';
import { makeSnippet, type HighlightWords } from '#shared/memories/search-snippet.ts';

/** The texts of a memory that snippets are cut from. */
export type SnippetTexts = Pick<Memory, 'title' | 'description' | 'summary' | 'notes' | 'url'> & {
  /** Text of the page behind a link, where it was searched. */
  page?: string | null;
};

const SNIPPETS_MAX = 3;

/** Pieces of the fields that matched, title first; without any match the beginning of the text. */
export function snippetsOf(texts: SnippetTexts, highlight: HighlightWords): Snippet[] {
  const pieces = piecesOf(
    [
      ['title', texts.title],
      ['description', texts.description],
      ['summary', texts.summary],
      ['notes', texts.notes],
      ['page', texts.page],
      ['url', urlText(texts.url ?? '')],
    ],
    highlight,
  );
  const matched = pieces.filter(({ ranges }) => ranges.length > 0);
  return matched.length > 0 ? matched.slice(0, SNIPPETS_MAX) : pieces.slice(1, 2);
}

/** A piece of each text that is there, with the name of its field, in their order. */
export function piecesOf(
  fields: readonly (readonly [Snippet['field'], text: string | null | undefined])[],
  highlight: HighlightWords,
): Snippet[] {
  return fields.flatMap(([field, whole]) => {
    if (!whole) return [];
    const { text, ranges } = makeSnippet(whole, highlight);
    return [{ field, text, ranges }];
  });
}
