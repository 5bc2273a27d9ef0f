/** Questions: what counts in them, how many memories they find, and that they find no less than plain BM25 does. */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/constants.ts';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { subjectOf } from '#shared/search/question.ts';
import { SearchIndex } from '#shared/search/search-index.ts';
import type { WordVectors } from '#shared/search/word-vectors.ts';
import { readWordVectors } from '#server/search/word-vectors.ts';
import { searchWordsOf } from '#shared/threads/question-words.ts';
import { isStopWord, plainBm25 } from '#tests/support/plain-bm25.ts';
import { porterStem } from '#tests/support/porter-stem.ts';
import { QUESTION_HALVES, readQuestionSet } from '#tests/support/question-set.ts';
import { makeDocument } from './naive-search.ts';

describe('the subject of a question', () => {
  const subject = (query: string) =>
    subjectOf(planSearch(parseSearchQuery(query)))?.required.flatMap(({ terms }) => terms);

  it('is what its function words leave, quoted words included', () => {
    expect(subject('when did we plant the roses')).toEqual(['plant', 'roses']);
    expect(subject('wann haben wir die Rosen für Ida geschnitten')).toEqual(
      'die rosen ida geschnitten'.split(' '),
    );
    expect(subject('what was that about "the who"')).toEqual(['the', 'who']);
  });

  it('is all of its words when it has no others, and nothing is one of keywords', () => {
    expect(subject('what is it about')).toEqual(['what', 'is', 'it', 'about']);
    expect(subject('the who tickets')).toBeUndefined();
  });
});

it('shows ten memories, however far they are behind the first', () => {
  const documents = Array.from({ length: 30 }, (_, place) =>
    makeDocument(`mem_${place}`, { notes: `roses ${'and other things '.repeat(place + 2)}` }),
  );
  const right = makeDocument('right', { title: 'Pruning roses in March', notes: 'cut above the bud' });
  const { hits, total } = SearchIndex.build([...documents, right]).search('when should I be pruning roses');
  expect(hits[0]?.id).toBe('right');
  expect([hits.length, total]).toEqual([10, 10]);
});

it('leaves out what is far behind and shares no word with the question, but with what it found', () => {
  const right = makeDocument('right', {
    title: 'Sourdough loaf',
    notes: 'Knead the sourdough for the loaf twice, and rest it overnight in the cellar.',
  });
  const near = makeDocument('near', { notes: 'Knead twice, rest overnight, cellar.' });
  const far = makeDocument('far', { notes: `The cellar ${'has a door and a lamp and a step '.repeat(40)}` });
  const others = Array.from({ length: 40 }, (_, place) =>
    makeDocument(`other_${place}`, { notes: `Green wool ${place}` }),
  );
  const { hits } = SearchIndex.build([right, near, far, ...others]).search(
    'how would I make a sourdough loaf',
  );
  expect(hits.map(({ id }) => id)).toEqual(['right', 'near']);
});

const vectors = readWordVectors();

it.each(QUESTION_HALVES)(
  'finds more than BM25 without stop words, and no less by its words alone: %s',
  (half) => {
    const { documents, questions } = readQuestionSet();
    const asked = questions.filter((one) => one.half === half);
    const index = SearchIndex.build(documents);
    const plain = plainBm25(documents, { stem: porterStem, isLeftOut: isStopWord, depth: 10 });
    const ours = (wordVectors?: WordVectors) => (question: string) =>
      index
        .search(searchWordsOf(question, LIMITS.searchQuery), { limit: 10, wordVectors })
        .hits.map(({ id }) => id);
    const recall = (find: (question: string) => string[], depth: number) =>
      asked.reduce((sum, { question, evidence }) => {
        const found = find(question).slice(0, depth);
        return sum + evidence.filter((id) => found.includes(id)).length / evidence.length;
      }, 0) / asked.length;
    for (const depth of [5, 10]) {
      expect(recall(ours(), depth)).toBeGreaterThanOrEqual(recall(plain, depth));
      expect(recall(ours(vectors), depth)).toBeGreaterThanOrEqual(1.03 * recall(plain, depth));
    }
  },
);
