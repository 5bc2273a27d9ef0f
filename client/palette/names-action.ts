/** Whether typed words name an action of the palette. Pure. */
import { queryTermsOf } from '#shared/memories/text-analysis.ts';

/** A shorter beginning is in too many labels. */
const BEGINNING_MIN = 2;
/** So is a shorter beginning of a last word, which may be any word of the label. */
const LAST_WORD_MIN = 3;

/**
 * True when the label begins with the typed text, or when two or more typed words are all words of the label, in any order; the
 * last one may be incomplete. A single word within a label is more likely a search.
 */
export function namesAction(text: string, label: string): boolean {
  const begun = text.trim().toLowerCase();
  if (begun.length >= BEGINNING_MIN && label.toLowerCase().startsWith(begun)) return true;
  const typed = queryTermsOf(text);
  const words = queryTermsOf(label);
  if (typed.length < 2) return false;
  return typed.every((word, place) => {
    const mayGrow = place === typed.length - 1 && word.length >= LAST_WORD_MIN;
    return words.some((other) => other === word || (mayGrow && other.startsWith(word)));
  });
}
