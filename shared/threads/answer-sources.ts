/**
 * From a message and what a search found for it to the memories that its answer is made from. Pure, and the same on the
 * server and on devices, so that both answer alike.
 */
import type { Id } from '../ids.ts';
import type { AnswerSource, ExtractiveAnswer } from './extractive-answer.ts';
import { readContext, sourcesOf } from './message-context.ts';
import type { Message } from './message.ts';
import type { Period } from './question-time.ts';
import { standaloneQuestion } from './question-words.ts';

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
