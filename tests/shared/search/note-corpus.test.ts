/** Search over the project's own notes, read as the import reads them: people's queries and the note each should show first. */
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { SearchIndex } from '#shared/search/search-index.ts';
import { makeSnippet } from '#shared/memories/search-snippet.ts';
import { termsOf } from '#shared/memories/text-analysis.ts';
import { corpusNotes, KEYWORD_QUERIES, QUESTIONS } from '#tests/support/note-corpus.ts';
import { makeDocument } from './naive-search.ts';

const documents = corpusNotes().map(({ file, title, tags, notes, url, description, created }) =>
  makeDocument(file, {
    title,
    tags,
    notes,
    url: url ?? '',
    description: description ?? '',
    created: Date.parse(created),
  }),
);
const index = SearchIndex.build(documents);

const topHits = (query: string): string[] => index.search(query).hits.map((hit) => hit.id);

describe('a query for keywords', () => {
  it.each<readonly [string, string]>([
    ...KEYWORD_QUERIES,
    ['rust reference', 'code/rust/borrow-checker.md'],
    ['AbortControler', 'code/javascript/abort-controller.md'],
    ['url:example.org books', 'reading/seeing-like-a-state.md'],
  ])('%s shows %s first', (query, expected) => {
    expect(topHits(query)[0]).toBe(expected);
  });
});

describe('a question', () => {
  it.each(QUESTIONS)('%s is answered by %s', (query, expected) => {
    expect(topHits(query)[0]).toBe(expected);
  });
});

describe('operators', () => {
  it('narrow by tag, date and title', () => {
    expect(topHits('tag:travel before:2022').toSorted()).toEqual([
      'travel/alps/hut-to-hut.md',
      'travel/alps/packliste.md',
      'travel/lisbon-trams.md',
    ]);
    expect(topHits('tag:meeting after:2023-05 before:2023-07')).toEqual(['work/meetings/kickoff-search.md']);
    expect(topHits('title:kyoto')).toEqual(['travel/japan/kyoto-temples.md']);
    expect(topHits('kyoto -title:kyoto')).toEqual(['travel/japan/jr-pass.md']);
    expect(topHits('tag:東京').toSorted()).toEqual(['kitchen/ラーメン.md', 'travel/japan/東京メモ.md']);
  });
});

describe('every note', () => {
  it('is found by the first words of its text, with a snippet that shows them', () => {
    for (const document of documents) {
      const words = termsOf(document.notes).slice(3, 8);
      const { hits, highlight } = index.search(words.map((word) => `"${word}"`).join(' '), { widest: 'all' });
      expect(hits.map((hit) => hit.id)).toContain(document.id);
      expect(makeSnippet(document.notes, highlight).ranges.length).toBeGreaterThan(0);
    }
  });
});

describe('compared with MiniSearch', () => {
  /** Queries whose answer is known: three of the rarer words of each note, as a person might remember them. */
  const known = documents.map((document) => ({
    id: document.id,
    query: termsOf(document.notes)
      .filter((term) => term.length > 4)
      .toSorted((one, other) => holders(one) - holders(other))
      .slice(1, 4),
  }));

  function holders(term: string): number {
    return documents.filter((document) => termsOf(document.notes).includes(term)).length;
  }

  it('ranks the sought note at least as high', () => {
    const reference = new MiniSearch({
      fields: ['title', 'tags', 'notes'],
      tokenize: termsOf,
      processTerm: (term) => term,
      searchOptions: { boost: { title: 5, tags: 4 } },
    });
    reference.addAll(documents);
    const theirs = meanReciprocalRank((query) =>
      reference.search(query.join(' ')).map((hit) => String(hit.id)),
    );
    const ours = meanReciprocalRank((query) => topHits(query.join(' ')));
    expect(ours).toBeGreaterThanOrEqual(theirs);
    expect(ours).toBeGreaterThan(0.95);
  });

  function meanReciprocalRank(search: (query: string[]) => string[]): number {
    const ranks = known.map(({ id, query }) => search(query).indexOf(id) + 1);
    return ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0) / ranks.length;
  }
});
