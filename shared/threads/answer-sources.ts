/**
 * From a message and what a search found for it to the memories that its answer is made from. Pure, and the same on the
 * server and on devices, so that both answer alike.
 */
import type { Id } from '../ids.ts';
import { LIMITS } from '../constants.ts';
import { isFunctionWord } from '../search/question.ts';
import { stemOf } from '../search/stem.ts';
import type { AnswerSource, ExtractiveAnswer } from './extractive-answer.ts';
import { readContext, sourcesOf } from './message-context.ts';
import type { Message } from './message.ts';
import { timeIn, type Period } from './question-time.ts';
import { searchWordsOf, standaloneQuestion, subjectWordsOf } from './question-words.ts';

export interface AskedQuestion {
  /** To be understood without the messages before it. */
  text: string;
  /** The day on which it was asked, YYYY-MM-DD. */
  day: string;
  /** Sources named in its first line. */
  named: ReturnType<typeof sourcesOf>;
}

/** @param earlier the messages that this person wrote before it in the thread, newest first */
export function questionOf(
  { content, createdAt }: Pick<Message, 'content' | 'createdAt'>,
  earlier: readonly string[],
): AskedQuestion {
  const { items, text } = readContext(content);
  const before = earlier.map((one) => readContext(one).text);
  return { named: sourcesOf(items), text: standaloneQuestion(text, before), day: createdAt.slice(0, 10) };
}

/** What a memory counts that was created in the time which a question names; what happened then may be told later. */
const IN_TIME = 1.5;
/** Room for the two operators of a period. */
const PERIOD_LENGTH = 40;
/** Words of a question that asks for whatever there is. */
const ANYTHING = new Set(
  'save add capture collect keep kept write wrote written note store read learn memory thing anything everything new happen'
    .split(' ')
    .map(stemOf),
);

/** Memories found for a question. */
export interface FoundMemories<Hit> {
  hits: Hit[];
  /** Where the question asks for nothing but a time: all were created in it. */
  period?: Period;
}

/**
 * Searches for a question, and once more within the time that it names. `find` takes a query with operators, and resolves to
 * what it finds, best first.
 */
export async function findForQuestion<Hit extends { id: string; score: number }>(
  { text, day }: Pick<AskedQuestion, 'text' | 'day'>,
  find: (query: string) => Promise<readonly Hit[]>,
): Promise<FoundMemories<Hit>> {
  const words = searchWordsOf(text, LIMITS.searchQuery);
  if (words === '') return { hits: [] };
  const timed = timeIn(text, day);
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

/** Scores by memory, best first as in the search; memories that a message names count as much as the best match. */
export function scoresOf(
  hits: readonly { id: string; score: number }[],
  named: readonly string[],
): ReadonlyMap<string, number> {
  const scores = new Map(hits.map(({ id, score }) => [id, score]));
  const best = Math.max(1, ...scores.values());
  for (const id of named) scores.set(id, best);
  return scores;
}

/** The memories to answer from, best first; those whose texts cannot be read are left out. */
export function bestSources(
  scores: ReadonlyMap<string, number>,
  texts: readonly Omit<AnswerSource, 'score'>[],
  most: number,
): AnswerSource[] {
  const byId = new Map<string, Omit<AnswerSource, 'score'>>(texts.map((own) => [own.id, own]));
  return [...scores]
    .flatMap(([id, score]) => {
      const own = byId.get(id);
      return own === undefined ? [] : [{ ...own, score }];
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, most);
}

/** Title of a memory, never derived from its notes. */
export function sourceTitle(memory: {
  title: string | null;
  filename: string | null;
  url: string | null;
}): string {
  return memory.title || memory.filename || memory.url || 'Untitled';
}

const TITLES_MAX = 3;

const titleOf = ({ id, title }: AnswerSource) => ({ memoryId: id, text: title, isCode: false });

/** For texts that cannot be read in time: the titles of the best memories. */
export function titlesAlone(sources: readonly AnswerSource[]): ExtractiveAnswer {
  return { quotations: sources.slice(0, TITLES_MAX).map(titleOf), also: [], coverage: null };
}

/** For a question that asks for nothing but a time: the titles of what was created in it. */
export function titlesOf(period: Period, sources: readonly AnswerSource[]): ExtractiveAnswer {
  return { quotations: sources.map(titleOf), also: [], coverage: 1, period };
}

/** The sources of an answer in the order of its numbers. */
export function citationsIn({
  quotations,
  also,
}: ExtractiveAnswer): { memoryId: Id<'memory'>; quote: string }[] {
  return [...quotations, ...also].map(({ memoryId, text }) => ({ memoryId, quote: text }));
}
