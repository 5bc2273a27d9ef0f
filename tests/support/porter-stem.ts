/**
 * Porter's stemmer (An algorithm for suffix stripping, Program 14, 1980), the usual one of a BM25 that others are
 * compared with.
 */

const C = '[^aeiou]';
const V = '[aeiouy]';
const CS = `${C}[^aeiouy]*`;
const VS = `${V}[aeiou]*`;
const measured = new RegExp(`^(?:${CS})?${VS}${CS}`);
const measuredOnce = new RegExp(`^(?:${CS})?${VS}${CS}(?:${VS})?$`);
const measuredTwice = new RegExp(`^(?:${CS})?${VS}${CS}${VS}${CS}`);
const vowelled = new RegExp(`^(?:${CS})?${V}`);
const short = new RegExp(`^${CS}${V}[^aeiouwxy]$`);

const STEP_2 =
  'ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log';
const STEP_3 = 'icate:ic ative: alize:al iciti:ic ical:ic ful: ness:';
const STEP_4 = 'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ou: ism: ate: iti: ous: ive: ize:';
const rulesOf = (text: string) =>
  text
    .split(' ')
    .map((rule) => rule.split(':'))
    .toSorted(([one = ''], [other = '']) => other.length - one.length);
const [step2, step3, step4] = [rulesOf(STEP_2), rulesOf(STEP_3), rulesOf(STEP_4)];

export function porterStem(term: string): string {
  if (!/^[a-z]{3,}$/.test(term)) return term;
  let word = term.startsWith('y') ? `Y${term.slice(1)}` : term;
  word = word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1');
  const [, past = ''] = /^(.+?)(?:ed|ing)$/.exec(word) ?? [];
  if (word.endsWith('eed')) {
    if (measured.test(word.slice(0, -3))) word = word.slice(0, -1);
  } else if (past !== '' && vowelled.test(past)) word = mended(past);
  if (word.endsWith('y') && vowelled.test(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
  word = replaced(word, step2, measured);
  word = replaced(word, step3, measured);
  const [, ion = ''] = /^(.+[st])ion$/.exec(word) ?? [];
  word = measuredTwice.test(ion) ? ion : replaced(word, step4, measuredTwice);
  if (word.endsWith('e')) {
    const stem = word.slice(0, -1);
    if (measuredTwice.test(stem) || (measuredOnce.test(stem) && !short.test(stem))) word = stem;
  }
  if (word.endsWith('ll') && measuredTwice.test(word)) word = word.slice(0, -1);
  return word.toLowerCase();
}

/** What is left of a verb without its ending, with the `e` or without the second letter of a pair. */
function mended(stem: string): string {
  if (/(?:at|bl|iz)$/.test(stem) || short.test(stem)) return `${stem}e`;
  return /([^aeiouylsz])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

/** Only the longest ending counts, even where too little stands before it. */
function replaced(word: string, rules: string[][], condition: RegExp): string {
  const [ending = '', by = ''] = rules.find(([end = '']) => word.endsWith(end)) ?? [];
  const stem = word.slice(0, word.length - ending.length);
  return ending !== '' && condition.test(stem) ? stem + by : word;
}
