/** Whether typed words name an action of the palette. Pure. */
import { queryTermsOf } from '#shared/memories/text-analysis.ts';

/** A shorter beginning of a last word is in too many labels. */
const BEGINNING_MIN = 3;

/**
 * True when all typed words are words of the label, in any order; the last one may be incomplete. A single word is more
 * likely a search, unless it is the whole label.
 */
export function namesAction(text: string, label: string): boolean {
  const typed = queryTermsOf(text);
  const words = queryTermsOf(label);
  if (typed.length < 2) return typed.length === 1 && words.length === 1 && words[0] === typed[0];
  return typed.every((word, place) => {
    const mayGrow = place === typed.length - 1 && word.length >= BEGINNING_MIN;
    return words.some((other) => other === word || (mayGrow && other.startsWith(word)));
  });
}
