/**
 * Light stemming of English: removes plural, -ing and -ed, so that the forms of a word match each other. Only the
 * ranking of questions uses it; words of other languages pass through nearly unchanged. Pure.
 */

const plainWord = /^[a-z]{4,}$/;
const vowel = /[aeiouy]/;
const doubled = /([bdfgmnprt])\1$/;
/** Shorter stems would be ambiguous. */
const STEM_MIN = 3;
/** Of one syllable, with one consonant at its end: a verb like this doubles it, so with a single one it ends in `e`. */
const beforeE = /^[^aeiou]+[aeiouy][^aeiouwxy]$/;

/** The stem of a folded term, which need not be a word itself. */
export function stemOf(term: string): string {
  if (!plainWord.test(term)) return term;
  const stem = withoutEnding(withoutPlural(term));
  if (stem.length <= STEM_MIN || !stem.endsWith('e')) return stem;
  const rest = stem.slice(0, -1);
  // `note` is not `not`, nor `plane` `plan`.
  return beforeE.test(rest) ? stem : rest;
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|x|zz|ch|sh|^bus|^gas|^plus)es$/.test(word)) return word.slice(0, -2);
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
  if (doubled.test(rest)) return rest.slice(0, -1);
  return beforeE.test(rest) ? `${rest}e` : rest;
}
