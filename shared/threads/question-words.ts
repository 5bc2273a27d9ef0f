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

/**
 * The question to search for, from this person's earlier questions, newest first: a follow-up is combined with the question
 * that it follows.
 */
export function standaloneQuestion(question: string, earlier: readonly string[]): string {
  const own = queryTermsOf(question).filter((term) => !isFunctionWord(term));
  const leans = own.length < ALONE || /^(?:and|und|what about|how about)\b/i.test(question.trim());
  // A repeated question is combined with the same earlier question as before.
  const before = leans ? earlier.find((one) => one.trim() !== question.trim()) : undefined;
  return before === undefined ? question : `${before}\n${question}`;
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
