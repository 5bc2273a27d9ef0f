/** Searches for a question, with the time that it names. The search itself is given. */
import { LIMITS } from '../constants.ts';
import type { MemoryHead } from '../memories/memory.ts';
import { isFunctionWord } from '../search/question.ts';
import { stemOf } from '../search/stem.ts';
import type { AskedQuestion } from './answer-sources.ts';
import { eventIn, timeIn, type Period, type TimedQuestion } from './question-time.ts';
import { askedStems, searchWordsOf, subjectWordsOf } from './question-words.ts';

/** What a memory counts that was created in the time which a question names; what happened then may be told later. */
const IN_TIME = 1.5;
/** Room for the two operators of a period. */
const PERIOD_LENGTH = 40;
/** Words of a question that asks for whatever there is. */
const ANYTHING = new Set(
  'save add added capture collect keep kept write wrote written note store read learn memory thing anything everything new happen'
    .split(' ')
    .map(stemOf),
);

/** Memories found for a question. */
export interface FoundMemories<Hit> {
  hits: Hit[];
  /** Where the question asks for nothing but a time: all were created in it. */
  period?: Period;
}

export interface QuestionSearch<Hit> {
  /** Takes a query with operators; best first. */
  find: (query: string) => Promise<readonly Hit[]>;
  /** Titles and times of memories, best first. */
  namesOf: (hits: readonly Hit[]) => Promise<readonly Pick<MemoryHead, 'title' | 'created'>[]>;
}

/** Searches for a question, and once more within the time that it names. */
export async function findForQuestion<Hit extends { id: string; score: number }>(
  { text, day }: Pick<AskedQuestion, 'text' | 'day'>,
  { find, namesOf }: QuestionSearch<Hit>,
): Promise<FoundMemories<Hit>> {
  const words = searchWordsOf(text, LIMITS.searchQuery);
  if (words === '') return { hits: [] };
  const timed = timeIn(text, day) ?? (await timeOfEvent(text, { find, namesOf }));
  if (timed === undefined) return { hits: [...(await find(words))] };
  const { period, rest } = timed;
  const { from, until } = period;
  const isAnything = subjectWordsOf(rest).every((word) => isFunctionWord(word) || ANYTHING.has(stemOf(word)));
  const within = [
    isAnything ? '' : searchWordsOf(rest, LIMITS.searchQuery - PERIOD_LENGTH),
    from === undefined ? '' : `after:${from}`,
    until === undefined ? '' : `before:${until}`,
  ];
  const then = await find(within.filter((part) => part !== '').join(' '));
  if (isAnything) return { hits: [...then], period };
  const all = await find(words);
  const hits = new Map(all.map((hit) => [hit.id, hit]));
  for (const hit of then) {
    const known = hits.get(hit.id) ?? hit;
    hits.set(hit.id, { ...known, score: known.score * IN_TIME });
  }
  return { hits: [...hits.values()].toSorted((one, other) => other.score - one.score) };
}

/** The time of an event is when the best memory was created that has its words in the title; undefined without one. */
async function timeOfEvent<Hit>(
  question: string,
  { find, namesOf }: QuestionSearch<Hit>,
): Promise<TimedQuestion | undefined> {
  const event = eventIn(question);
  if (event === undefined) return undefined;
  const named = askedStems(event.name);
  const found = await namesOf(await find(event.name));
  const memory = found.find(({ title }) => {
    const stems = new Set(askedStems(title ?? ''));
    return named.every((stem) => stems.has(stem));
  });
  return memory && { period: event.periodFrom(memory.created.slice(0, 10)), rest: event.rest };
}
