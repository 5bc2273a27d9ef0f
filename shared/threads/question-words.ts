// The subject words of a question: its words without those that every question has. Pure.
import { isFunctionWord } from '../search/question.ts';
import { stemOf } from '../search/stem.ts';
import { queryTermsOf } from '../memories/text-analysis.ts';

/** The stems of a question's subject words, each once, in their order. */
export function askedStems(question: string): string[] {
  return [...new Set(subjectWordsOf(question).map(stemOf))];
}

/** The subject words of a question as they are written there; all of its words when it has no others. */
export function subjectWordsOf(question: string): string[] {
  const terms = queryTermsOf(question);
  const telling = terms.filter((term) => !isFunctionWord(term));
  return telling.length > 0 ? telling : terms;
}

/** Questions with fewer subject words refer to the previous one: “and when was that?” */
const ALONE = 2;
/** The same for questions that point at something: “where did I buy it in winter?” */
const ALONE_POINTING = 3;
const CONTINUES = /^(?:and|und|what about|how about)\b/i;
const POINTS = /\b(?:it|its|this|that|these|those|there|es|das|dies\w*|dort)\b/i;
/** Lower case, because the German “Sie” addresses the reader. */
const PERSON = /\b(?:[Hh]e|[Ss]he|him|her|his|hers|[Tt]hey|them|their|theirs|er|ihn|ihm)\b/;
/** A name behind the first word, which a pronoun of the same question means. */
const NAME = /\S\s+\p{Lu}\p{Ll}/u;

/**
 * The question to search for, from this person's earlier questions, newest first: a follow-up is combined with those that it
 * follows, back to one that can be understood by itself.
 */
export function standaloneQuestion(question: string, earlier: readonly string[]): string {
  const asked = [question];
  if (!leans(question)) return question;
  for (const one of earlier) {
    // A repeated question is combined with the same earlier questions as before, and “and why?” says nothing to search for.
    if (one.trim() === question.trim() || subjectsIn(one) === 0) continue;
    asked.unshift(one);
    if (!refersBack(one)) break;
  }
  return asked.join('\n');
}

const subjectsIn = (question: string): number =>
  queryTermsOf(question).filter((term) => !isFunctionWord(term)).length;

function leans(question: string): boolean {
  const subjects = subjectsIn(question);
  return subjects < ALONE || refersBack(question) || (subjects < ALONE_POINTING && POINTS.test(question));
}

function refersBack(question: string): boolean {
  return CONTINUES.test(question.trim()) || (PERSON.test(question) && !NAME.test(question));
}

/** The question as plain words, without search operators. */
export function searchWordsOf(question: string, limit: number): string {
  const words = question
    .normalize('NFC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
  let query = '';
  for (const word of words) {
    if (query.length + word.length + 1 > limit) break;
    query = query === '' ? word : `${query} ${word}`;
  }
  return query;
}
