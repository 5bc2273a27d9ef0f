// Times in questions, as days of the calendar, and what is searched for then.
import { describe, expect, it } from 'vitest';
import { titlesOf } from '#shared/threads/answer-sources.ts';
import { writeExtractiveAnswer } from '#shared/threads/extractive-answer.ts';
import { findForQuestion } from '#shared/threads/question-search.ts';
import { timeIn } from '#shared/threads/question-time.ts';
import { newId } from '#shared/ids.ts';

/** A Monday. */
const TODAY = '2026-11-30';

const NAMED: readonly (readonly [
  question: string,
  from: string | undefined,
  until: string | undefined,
  rest: string,
])[] = [
  ['What did I save today?', '2026-11-30', '2026-12-01', 'What did I save ?'],
  ['yesterday’s notes', '2026-11-29', '2026-11-30', '’s notes'],
  ['the day before yesterday', '2026-11-28', '2026-11-29', ''],
  ['What did I read last week?', '2026-11-23', '2026-11-30', 'What did I read ?'],
  ['bread this month', '2026-11-01', '2026-12-01', 'bread'],
  ['bread in the last two weeks', '2026-11-16', '2026-12-01', 'bread'],
  ['bread two months ago', '2026-09-01', '2026-10-01', 'bread'],
  ['bread a year ago', '2025-01-01', '2026-01-01', 'bread'],
  ['bread on Friday', '2026-11-27', '2026-11-28', 'bread'],
  ['bread last Monday', '2026-11-23', '2026-11-24', 'bread'],
  ['bread since Tuesday', '2026-11-24', undefined, 'bread'],
  ['What did I write about bread last May?', '2026-05-01', '2026-06-01', 'What did I write about bread ?'],
  ['bread last November', '2025-11-01', '2025-12-01', 'bread'],
  ['bread in November', '2026-11-01', '2026-12-01', 'bread'],
  ['bread in December', '2025-12-01', '2026-01-01', 'bread'],
  ['bread in early March 2024', '2024-03-01', '2024-04-01', 'bread in early'],
  ['bread March 2024', '2024-03-01', '2024-04-01', 'bread'],
  ['bread before May', undefined, '2026-05-01', 'bread'],
  ['bread after June 2023', '2023-07-01', undefined, 'bread'],
  ['bread on 3 March 2024', '2024-03-03', '2024-03-04', 'bread'],
  ['bread on March 3rd', '2026-03-03', '2026-03-04', 'bread'],
  ['bread on the 24th of December', '2025-12-24', '2025-12-25', 'bread'],
  ['bread in 2023', '2023-01-01', '2024-01-01', 'bread'],
  ['bread since 2023', '2023-01-01', undefined, 'bread'],
  ['bread last summer', '2026-06-01', '2026-09-01', 'bread'],
  ['bread last winter', '2025-12-01', '2026-03-01', 'bread'],
  ['bread in the summer of 2022', '2022-06-01', '2022-09-01', 'bread'],
  // The last one counts: a follow-up stands behind the question that it leans on.
  ['bread last May\nAnd last week?', '2026-11-23', '2026-11-30', 'bread And ?'],
];

const NO_TIME = [
  'Until when may the hedge be cut?',
  'Where did Sam work before the bakery?',
  'How many days a week does she work?',
  'What did we march for?',
  'Where are the winter tyres?',
  'Route 2024',
  'bread',
  '',
];

describe('the time in a question', () => {
  it.each(NAMED)('%s', (question, from, until, rest) => {
    const period = { ...(from && { from }), ...(until && { until }) };
    expect(timeIn(question, TODAY)).toEqual({ period, rest });
  });

  it.each(NO_TIME)('is none: %s', (question) => expect(timeIn(question, TODAY)).toBeUndefined());

  it('is the same month where that has fewer days', () => {
    expect(timeIn('a month ago', '2026-03-31')?.period).toEqual({ from: '2026-02-01', until: '2026-03-01' });
    expect(timeIn('in the last month', '2026-01-15')?.period).toEqual({
      from: '2025-12-01',
      until: '2026-01-01',
    });
  });
});

describe('a search for a question', () => {
  interface Hit {
    id: string;
    score: number;
    title?: string;
    created?: string;
  }
  const search = async (text: string, found: Record<string, Hit[]>) => {
    const asked: string[] = [];
    const find = async (query: string) => {
      asked.push(query);
      return found[query] ?? [];
    };
    const result = await findForQuestion(
      { text, day: TODAY },
      {
        find,
        namesOf: async (hits) =>
          hits.map(({ title = null, created = `${TODAY}T08:00:00.000Z` }) => ({ title, created })),
      },
    );
    return { asked, ...result };
  };

  it('puts what is of that time before what matches as well', async () => {
    const [old, of, late] = [
      { id: 'old', score: 10 },
      { id: 'of', score: 8 },
      { id: 'late', score: 1 },
    ];
    const within = 'Where did I buy bread after:2026-05-01 before:2026-06-01';
    const found = { 'Where did I buy bread last May': [old, of], [within]: [of, late] };
    const { asked, hits, period } = await search('Where did I buy bread last May?', found);
    expect(asked.toSorted()).toEqual(Object.keys(found).toSorted());
    expect(hits.map(({ id }) => id)).toEqual(['of', 'old', 'late']);
    expect(period).toBeUndefined();
  });

  it.each([
    'What did I save yesterday?',
    'what was I doing yesterday',
    'Everything I wrote down yesterday',
    'yesterday',
  ])('lists what there is of that time where nothing else is asked: %s', async (question) => {
    const here = { 'after:2026-11-29 before:2026-11-30': [{ id: 'one', score: 0 }] };
    const { asked, hits, period } = await search(question, here);
    expect([asked, hits.map(({ id }) => id)]).toEqual([Object.keys(here), ['one']]);
    expect(period).toEqual({ from: '2026-11-29', until: '2026-11-30' });
  });

  it('says so where there is nothing of that time', async () => {
    const { hits, period = {} } = await search('What did I save yesterday?', {
      'What did I save yesterday': [{ id: 'one', score: 1 }],
    });
    expect(hits).toEqual([]);
    expect(writeExtractiveAnswer(titlesOf(period, []), 'person')).toBe(
      'I found nothing in your memories, 29 November 2026.',
    );
  });

  it.each([
    ['Where did I buy bread before the move?', 'before:2026-03-02'],
    ['Before the move, where did I buy bread?', 'before:2026-03-02'],
    ['Where did I buy bread since our move?', 'after:2026-03-02'],
    ['Where did I buy bread after my move', 'after:2026-03-03'],
  ])('takes the time of an event from the memory of that name: %s', async (question, side) => {
    const move = { id: 'move', score: 5, title: 'Moving to Lisbon', created: '2026-03-02T23:10:00.000Z' };
    const nearer = { id: 'nearer', score: 6, title: 'Bread', created: '2026-01-01T00:00:00.000Z' };
    const within = `${question.startsWith('B') ? 'where' : 'Where'} did I buy bread ${side}`;
    const whole = question.replaceAll(/[?,]/g, '');
    const { hits, asked } = await search(question, {
      move: [nearer, move],
      [within]: [{ id: 'then', score: 4 }],
      [whole]: [{ id: 'other', score: 5 }],
    });
    expect([asked, hits.map(({ id }) => id)]).toEqual([
      ['move', within, whole],
      ['then', 'other'],
    ]);
  });

  it.each([
    'Where did I buy bread before the move?',
    'What happened before it?',
    'Which of the two came before the very last of them all in town?',
  ])('knows no time of an event that no memory is named after: %s', async (question) => {
    const whole = question.replaceAll(/[?,]/g, '');
    const { hits } = await search(question, { [whole]: [{ id: 'one', score: 1 }] });
    expect(hits.map(({ id }) => id)).toEqual(['one']);
  });

  it('is none without words', async () => {
    expect((await search('?!', {})).asked).toEqual([]);
  });

  it('says of which time the titles are', () => {
    const source = { id: newId('memory'), title: 'Bread *rises*', texts: [], score: 0 };
    const write = (period: Parameters<typeof titlesOf>[0]) =>
      writeExtractiveAnswer(titlesOf(period, [source]), 'person').split('\n\n');
    expect(write({ from: '2026-11-23', until: '2026-11-30' })).toEqual([
      'From your memories, 23 November 2026 to 29 November 2026, newest first:',
      String.raw`> Bread \*rises\* \[1\]`,
    ]);
    expect(write({ from: '2026-11-29', until: '2026-11-30' })[0]).toContain(', 29 November 2026, ');
    expect(write({ from: '2024-03-03' })[0]).toContain(', since 3 March 2024, ');
    expect(write({ until: '2024-03-03' })[0]).toContain(', before 3 March 2024, ');
  });
});
