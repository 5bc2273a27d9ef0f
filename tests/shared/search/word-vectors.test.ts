/** Words that are used alike: the file of them, and what questions find by it. */
import { describe, expect, it, vi } from 'vitest';
import { LIMITS } from '#shared/constants.ts';
import { SearchIndex } from '#shared/search/search-index.ts';
import { stemOf } from '#shared/search/stem.ts';
import { CLEAR_LIKENESS, COMPARED_MAX, WordVectors } from '#shared/search/word-vectors.ts';
import { extractAnswer } from '#shared/threads/extractive-answer.ts';
import { newId } from '#shared/ids.ts';
import { readWordVectors } from '#server/search/word-vectors.ts';
import { makeDocument } from './naive-search.ts';

const vectors = readWordVectors();
const stemsLike = (word: string) => vectors.similarTo(stemOf(word)).map(({ stem }) => stem);

describe('vectors', () => {
  it('are read as they were written', () => {
    const values = Int8Array.from([7, -7, 0, 1, 7, -7, 0, 1, -7, 7, 3, 0]);
    const own = WordVectors.read(WordVectors.write(['cars', 'lorries', 'tea'], values));
    expect(own.similarTo('car')).toEqual([{ stem: 'lorry', likeness: expect.closeTo(1) }]);
    expect(own.similarTo('tea')).toEqual([]);
  });

  it('tell which words are used alike, the likest first', () => {
    expect(stemsLike('cars')).toContain('vehicl');
    expect(stemsLike('doctor').slice(0, 5)).toContain('physician');
    const likeness = vectors.similarTo('rent').map((word) => word.likeness);
    expect(likeness.length).toBeGreaterThan(10);
    expect(likeness).toEqual(likeness.toSorted((one, other) => other - one));
  });

  it('know no names, no days and no word that is not there', () => {
    expect(['john', 'maria', 'monday', 'seven', 'qwertz', ''].flatMap(stemsLike)).toEqual([]);
    expect(stemsLike('husband')).not.toContain('john');
  });
});

describe('a question', () => {
  const documents = [
    makeDocument('lease', { notes: 'The landlord wants 640 euros a month for the loft, from June on.' }),
    ...Array.from({ length: 40 }, (_, place) =>
      makeDocument(`other_${place}`, { notes: `Knit ${place} rows of green wool` }),
    ),
  ];
  const index = SearchIndex.build(documents);
  const question = 'how much rent would the apartment cost';
  const idsOf = (query: string, wordVectors?: WordVectors) =>
    index.search(query, { wordVectors }).hits.map(({ id }) => id);

  it('finds what says the same in other words, and marks the likest', () => {
    expect(idsOf(question)).toEqual([]);
    const { hits, highlight } = index.search(question, { wordVectors: vectors });
    expect(hits.map(({ id }) => id)).toEqual(['lease']);
    expect(highlight.words).toContain('landlord');
    expect(highlight.words).not.toContain('month');
  });

  it('has typing mistakes only where it has no word', () => {
    const home = SearchIndex.build([makeDocument('some', { notes: 'Read some of them in the sun' })]);
    const found = (query: string) => home.search(query, { wordVectors: vectors }).hits.length;
    expect([found('what did you do at home'), found('what did you do in the sune')]).toEqual([0, 1]);
  });

  it('prefers what says it in its own words', () => {
    const own = makeDocument('own', { notes: 'The rent of the apartment: what it would cost.' });
    const both = SearchIndex.build([...documents, own]).search(question, { wordVectors: vectors });
    expect(both.hits.map(({ id }) => id)).toEqual(['own', 'lease']);
  });

  it('does not find what only a faintly similar word is in', () => {
    const [thin] = vectors.similarTo('long').filter(({ stem }) => stem === 'thin');
    expect(thin?.likeness).toBeLessThan(CLEAR_LIKENESS);
    const faint = SearchIndex.build([makeDocument('faint', { notes: 'A thin coat' })]);
    const { hits } = faint.search('how long does the violin lesson take', { wordVectors: vectors });
    expect(hits).toEqual([]);
  });

  it('of many words has the first of them compared', () => {
    const compare = vi.spyOn(vectors, 'similarTo');
    const long = Array.from({ length: 2_000 }, (_, place) => `word${place}`).join(' ');
    const source = { id: newId('memory'), title: 'Loft', texts: ['The landlord wants 640 euros.'], score: 1 };
    index.search(long.slice(0, LIMITS.searchQuery), { wordVectors: vectors });
    expect(compare).toHaveBeenCalledTimes(COMPARED_MAX);
    extractAnswer(long, [source], { wordVectors: vectors });
    expect(compare).toHaveBeenCalledTimes(2 * COMPARED_MAX);
    compare.mockRestore();
  });

  it('is not what keywords are: they find what has them', () => {
    expect(idsOf('rent apartment', vectors)).toEqual([]);
  });

  it('is answered with what says the same, which is not called an answer', () => {
    const source = {
      id: newId('memory'),
      title: 'Loft',
      texts: ['Seen in May.\n\n## What next\n\nThe landlord wants 640 euros.'],
      score: 1,
    };
    expect(extractAnswer('What is the rent?', [source]).quotations).toEqual([]);
    const { quotations, coverage } = extractAnswer('What is the rent?', [source], { wordVectors: vectors });
    expect(quotations[0]?.text).toBe('The landlord wants 640 euros.');
    expect(coverage).toBe(0);
  });
});
