/** What the index promises by example: ranking, widening, operators, and what it does with a damaged buffer. */
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { editDistance, findFuzzyTerms, fuzzyDistance } from '#shared/search/fuzzy-terms.ts';
import { SearchIndex } from '#shared/search/search-index.ts';
import type { SearchDocument } from '#shared/search/search-document.ts';
import { createSegmentBuilder } from '#shared/search/segment-builder.ts';
import { termAt } from '#shared/search/term-table.ts';
import { makeDocument, naiveScores } from './naive-search.ts';

const topIds = (index: SearchIndex, query: string): string[] => index.search(query).hits.map((hit) => hit.id);

/** Words of one FNV-1a hash: pairs found by https://softwareengineering.stackexchange.com/a/145633. */
const SAME_HASH = [
  ['costarring', 'liquid'],
  ['declinate', 'macallums'],
  ['altarage', 'zinke'],
] as const;

describe('terms', () => {
  it('are told apart when their hashes are equal', () => {
    const index = SearchIndex.build(
      SAME_HASH.flat().map((word, place) => makeDocument(word, { title: `${word} ${place}` })),
    );
    for (const word of SAME_HASH.flat()) expect(topIds(index, `"${word}"`)).toEqual([word]);
  });

  it('keep their documents when there are more of them than the first tables hold', () => {
    const words = Array.from({ length: 5000 }, (_unused, place) => `w${place.toString(36)}x`);
    const pieces = Array.from({ length: 100 }, (_unused, part) => words.slice(part * 50, part * 50 + 50));
    const index = SearchIndex.build(
      pieces.map((piece, part) => makeDocument(`mem_${part}`, { notes: piece.join(' ') })),
    );
    words.forEach((word, place) =>
      expect(topIds(index, `"${word}"`)).toEqual([`mem_${Math.floor(place / 50)}`]),
    );
  });
});

describe('ranking', () => {
  const filler = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'theta', 'iota'];
  const text = fc.array(fc.constantFrom(...filler), { maxLength: 12 }).map((words) => words.join(' '));
  const corpus = fc
    .array(
      fc.record({ title: text, notes: text, summary: text, tags: fc.array(fc.constantFrom(...filler)) }),
      {
        minLength: 3,
        maxLength: 30,
      },
    )
    .map((drawn) => drawn.map((fields, place) => makeDocument(`mem_${place}`, fields)));

  it('gives the scores of the BM25 formula over weighted fields', () => {
    fc.assert(
      fc.property(
        corpus,
        fc.uniqueArray(fc.constantFrom(...filler), { minLength: 1, maxLength: 3 }),
        (documents, words) => {
          // Quoted, so that each word stands for itself alone.
          const query = words.map((word) => `"${word}"`).join(' ');
          const expected = naiveScores(documents, words);
          for (const hit of SearchIndex.build(documents).search(query, { limit: 100, widest: 'all' }).hits) {
            expect(hit.score).toBeCloseTo(expected.get(hit.id) ?? Number.NaN, 4);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('shows beside few memories with all words those with some that score half of the best one', () => {
    // No word begins another one or is a slip of it; four of them would be a question.
    const known = ['alpha', 'gamma', 'delta', 'epsilon'];
    const notes = fc.array(fc.constantFrom(...known), { maxLength: 6 }).map((words) => words.join(' '));
    const drawn = fc.array(fc.record({ title: notes, notes }), { minLength: 3, maxLength: 40 });
    const asked = fc.uniqueArray(fc.constantFrom(...known), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(drawn, asked, (fields, words) => {
        const documents = fields.map((each, place) => makeDocument(`mem_${place}`, each));
        const scores = naiveScores(documents, words);
        const whole = documents.filter(({ title, notes: text }) =>
          words.every((word) => `${title} ${text}`.includes(word)),
        );
        const floor = Math.max(0, ...scores.values()) / 2;
        const near = documents.filter(({ id }) => (scores.get(id) ?? 0) > floor);
        const expected = new Set((whole.length < 3 ? [...whole, ...near] : whole).map(({ id }) => id));
        const { hits, total } = SearchIndex.build(documents).search(words.join(' '), { limit: 100 });
        // What scores exactly half may be on either side: sums of fractions differ in their last place.
        const certain = hits.filter(
          ({ id }) => expected.has(id) || Math.abs((scores.get(id) ?? 0) - floor) > 1e-4,
        );
        expect(new Set(certain.map(({ id }) => id))).toEqual(expected);
        expect(total).toBe(hits.length);
        for (const { id, match } of hits) expect(match === 'all').toBe(whole.some((each) => each.id === id));
        expect(hits.map(({ score }) => score)).toEqual(
          hits.map(({ score }) => score).toSorted((one, other) => other - one),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('answers the best of all matches when fewer are asked for', () => {
    fc.assert(
      fc.property(corpus, fc.integer({ min: 1, max: 10 }), (documents, limit) => {
        const index = SearchIndex.build(documents);
        const all = index.search('alp', { limit: 1000 });
        const some = index.search('alp', { limit });
        expect(some.total).toBe(all.total);
        expect(some.hits.map((hit) => hit.score)).toEqual(all.hits.slice(0, limit).map((hit) => hit.score));
      }),
    );
  });

  it('prefers the title to the text, the word to its completion, and of equals the newest', () => {
    const index = SearchIndex.build([
      makeDocument('text', { title: 'one', notes: 'about compost and soil' }),
      makeDocument('title', { title: 'compost', notes: 'about worms and soil' }),
      makeDocument('completion', { title: 'composting', notes: 'about worms and soil' }),
      makeDocument('old', { title: 'same', created: 1 }),
      makeDocument('new', { title: 'same', created: 2 }),
    ]);
    expect(topIds(index, 'compost')).toEqual(['title', 'completion', 'text']);
    expect(topIds(index, 'same')).toEqual(['new', 'old']);
  });
});

describe('widening', () => {
  const index = SearchIndex.build([
    makeDocument('pg', { title: 'Postgres tuning', notes: 'work memory and vacuum' }),
    makeDocument('k8s', { title: 'Kubernetes probes', notes: 'liveness and readiness of containers' }),
    makeDocument('tea', { title: 'Brewing tea', notes: 'water just below boiling, version 24' }),
  ]);

  it('forgives one slip in short and two in long words, also swapped neighbours', () => {
    expect(index.search('potsgres').hits).toMatchObject([{ id: 'pg', match: 'fuzzy' }]);
    expect(index.search('kuberntse').hits).toMatchObject([{ id: 'k8s', match: 'fuzzy' }]);
    expect(index.search('postgres').hits).toMatchObject([{ id: 'pg', match: 'all' }]);
  });

  it('reports what it found instead, to be highlighted', () => {
    expect(index.search('vacum').highlight.words).toContain('vacuum');
  });

  it('leaves numbers, short words and quoted text as they are', () => {
    expect(topIds(index, '25')).toEqual([]);
    expect(topIds(index, '"potsgres"')).toEqual([]);
    expect(topIds(index, 'txa')).toEqual([]);
  });

  it('falls back to any of the words when no memory has all of them', () => {
    const { hits } = index.search('how do I check the liveness of postgres');
    expect(hits.map((hit) => hit.match)).toEqual(['any', 'any']);
    expect(hits.map((hit) => hit.id).toSorted()).toEqual(['k8s', 'pg']);
    expect(index.search('liveness postgres', { widest: 'all' }).hits).toEqual([]);
    expect(topIds(index, 'title:postgres liveness')).toEqual([]);
  });

  it('finds plurals and singulars in both directions', () => {
    expect(index.search('container probe').hits).toMatchObject([{ id: 'k8s', match: 'all' }]);
  });
});

describe('the caller’s conditions', () => {
  const index = SearchIndex.build([
    makeDocument('a', { title: 'x', tags: ['Deep Work'], spaceIds: ['spc_1'], type: 'note' }),
    makeDocument('b', {
      title: 'x',
      tags: ['deep'],
      spaceIds: ['spc_2'],
      type: 'link',
      url: 'https://www.example.com/a',
    }),
    makeDocument('c', { title: 'x', archived: true }),
  ]);

  it('are met by any of their values, beside the query', () => {
    expect(index.search('x', { types: ['note', 'file'] }).hits.map((hit) => hit.id)).toEqual(['a']);
    expect(index.search('x', { tags: ['deep work', 'deep'] }).total).toBe(2);
    expect(index.search('x', { spaceIds: [] }).total).toBe(0);
    expect(index.search('x', { isAllowed: (id) => id !== 'a' }).hits.map((hit) => hit.id)).toEqual(['b']);
  });

  it('name spaces for the space operator', () => {
    const spaceNames = { garden: ['spc_1'], __proto__: ['spc_2'] };
    expect(index.search('space:garden', { spaceNames }).hits.map((hit) => hit.id)).toEqual(['a']);
    expect(index.search('space:spc_2', { spaceNames }).hits.map((hit) => hit.id)).toEqual(['b']);
    expect(index.search('space:constructor', { spaceNames }).total).toBe(0);
  });

  it('hide archived memories unless asked for', () => {
    expect(index.search('x').total).toBe(2);
    expect(index.search('x is:archived').hits.map((hit) => hit.id)).toEqual(['c']);
    expect(index.search('x', { archived: 'include' }).total).toBe(3);
    expect(index.search('x', { archived: 'only' }).total).toBe(1);
  });

  it('do not spoil later searches when a check throws', () => {
    const fail = (): boolean => {
      throw new Error('no');
    };
    expect(() => index.search('x', { isAllowed: fail })).toThrow('no');
    expect(index.search('x').total).toBe(2);
  });
});

describe('many conditions', () => {
  it('exclude by each of a hundred tags', () => {
    const documents = Array.from({ length: 70 }, (_, place) =>
      makeDocument(`mem_${place}`, { tags: [`t${place}`] }),
    );
    const query = documents
      .slice(0, 60)
      .map((each) => `-tag:${each.tags[0]}`)
      .join(' ');
    expect(SearchIndex.build(documents).search(query, { limit: 100 }).total).toBe(10);
  });
});

describe('fuzzy terms', () => {
  it('are all terms within the allowed distance', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'é', '東', '\u{1E900}'),
      minLength: 4,
      maxLength: 10,
    });
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 60 }), word, (words, asked) => {
        const builder = createSegmentBuilder();
        builder.add(makeDocument('mem_a', { title: words.join(' ') }));
        const data = builder.finish();
        const terms = data.frequencies.length;
        const all = Array.from({ length: terms }, (_, term) => termAt(data, term)).filter(
          (term) => term[0] !== '\u0001',
        );
        const limit = fuzzyDistance(asked);
        const near = all.filter(
          (term) => term !== asked && slowDistance(Array.from(asked), Array.from(term)) <= limit,
        );
        const found = findFuzzyTerms(data, asked).map((each) => termAt(data, each.term));
        expect(found.toSorted()).toEqual(near.toSorted().slice(0, 64));
      }),
      { numRuns: 300 },
    );
  });

  it('have the distance of the definition', () => {
    const letters = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 7 });
    fc.assert(
      fc.property(letters, letters, fc.integer({ min: 1, max: 3 }), (one, other, limit) => {
        const exact = slowDistance(one, other);
        expect(Math.min(editDistance(one, other, limit), limit + 1)).toBe(Math.min(exact, limit + 1));
      }),
      { numRuns: 2000 },
    );
  });
});

/** The definition by recursion: drop, add, replace, or swap two neighbours that are not edited again. */
function slowDistance<T>(one: readonly T[], other: readonly T[]): number {
  const known = new Map<string, number>();
  const solve = (row: number, column: number): number => {
    if (row === 0 || column === 0) return row + column;
    const key = `${row},${column}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const swap =
      row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
        ? solve(row - 2, column - 2) + 1
        : Infinity;
    const change = solve(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1);
    const least = Math.min(solve(row - 1, column) + 1, solve(row, column - 1) + 1, change, swap);
    known.set(key, least);
    return least;
  };
  return solve(one.length, other.length);
}

describe('a stored index', () => {
  const documents: SearchDocument[] = Array.from({ length: 200 }, (_, place) =>
    makeDocument(`mem_${place}`, { title: `title ${place}`, notes: 'some text' }),
  );

  it('is refused when any byte is changed, cut off or added', () => {
    const buffer = SearchIndex.build(documents).serialize();
    expect(SearchIndex.load(buffer)?.search('text').total).toBe(200);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: buffer.byteLength - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, change) => {
          const damaged = new Uint8Array(buffer.slice(0));
          damaged[at] = (damaged[at] ?? 0) ^ change;
          expect(SearchIndex.load(damaged.buffer)).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
    for (const length of [0, 1, 8, 16, buffer.byteLength - 8, buffer.byteLength + 8]) {
      const other = new Uint8Array(length);
      other.set(new Uint8Array(buffer).subarray(0, length));
      expect(SearchIndex.load(other.buffer)).toBeUndefined();
    }
  });

  it('keeps several segments and their deletions', () => {
    const index = SearchIndex.build(documents);
    index.upsertAll(documents.slice(0, 100).map((each) => ({ ...each, notes: 'changed' })));
    index.remove('mem_150');
    const loaded = SearchIndex.load(index.serialize());
    expect(loaded?.search('text').total).toBe(99);
    expect(loaded?.search('changed').total).toBe(100);
    expect(loaded?.count).toBe(199);
  });
});
