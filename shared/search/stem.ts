/**
 * Light stemming of English: removes plural, -ing and -ed, so that the forms of a word match each other. Only the
 * ranking of questions uses it; words of other languages pass through nearly unchanged. Pure.
 */

const plainWord = /^[a-z]{4,}$/;
const vowel = /[aeiouy]/;
const doubled = /([bdfgmnprt])\1$/;
/** Shorter stems would be ambiguous. */
const STEM_MIN = 3;

/** The stem of a folded term, which need not be a word itself. */
export function stemOf(term: string): string {
  if (!plainWord.test(term)) return term;
  const stem = withoutEnding(withoutPlural(term));
  return stem.length > STEM_MIN && stem.endsWith('e') ? stem.slice(0, -1) : stem;
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^suia]s$/.test(word) || word.endsWith('as') ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') && !word.endsWith('eed') ? 2 : 0;
  if (ending === 0) return word;
  const rest = word.slice(0, -ending);
  if (!vowel.test(rest)) return word;
  // `using` and `used` are forms of `use`; shorter stems are no verbs.
  if (rest.length < STEM_MIN) return rest.length === 2 ? `${rest}e` : word;
  return doubled.test(rest) ? rest.slice(0, -1) : rest;
}
