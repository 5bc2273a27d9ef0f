/**
 * Answers without a language model: quotes the passages of a few memories that match a question best, with their
 * sources. Passages are ranked as BM25 ranks documents (Robertson and Zaragoza, 2009); the words of titles and headings
 * count for the text below them, and words that are used alike count in part. Pure.
 */
import { ANSWERS } from './limits.ts';
import type { Id } from '../ids.ts';
import { escapeMarkdown } from '../markdown/escape-markdown.ts';
import { RANK_OFFSET } from '../search/embedding-limits.ts';
import { stemOf } from '../search/stem.ts';
import { COMPARED_MAX, type WordVectors } from '../search/word-vectors.ts';
import { termsOf } from '../memories/text-analysis.ts';
import { passagesOf, type Passage } from './passages.ts';
import { periodInWords, type Period } from './question-time.ts';
import { askedStems } from './question-words.ts';

/** A memory that a search found for the question, and how well. */
export interface AnswerSource {
  id: Id<'memory'>;
  title: string;
  /** Its texts as Markdown: those written by the person first, then fetched ones. */
  texts: readonly string[];
  score: number;
  /** Pieces of the texts that are near to the question by meaning, best first; each holds whole passages, one a line. */
  near?: readonly string[] | undefined;
}

export interface Quotation {
  memoryId: Id<'memory'>;
  text: string;
  isCode: boolean;
}

/** The quotations of an answer, best first. */
export interface ExtractiveAnswer {
  quotations: Quotation[];
  /** The best passages of other memories, which are named as sources but not quoted. */
  also: Quotation[];
  /** Share of the question's words that the passages cover, 0 to 1; null where the texts could not be read in time. */
  coverage: number | null;
  /** Quoted are titles of what was created in it, newest first. */
  period?: Period;
}

/** Constants of BM25, and what a word in a title or heading, and one used exactly alike, counts beside one in the passage. */
const RANK = { k1: 1.2, b: 0.5, heading: 0.7, title: 0.8, similar: 0.7 } as const;
/** A memory that the search put first counts so much more than the last. */
const SEARCH_SHARE = 0.8;
/** A passage without a word of the question must say this share of it in other words. */
const OTHER_WORDS_SHARE = 0.06;
/** How many passages are chosen, in all and of one memory, and what share of the best one's score they need. */
export interface PassageChoice {
  most: number;
  perMemory: number;
  nearBest: number;
  /** What a passage counts behind each better one of the same memory. */
  again: number;
  /** How many memories that are not quoted may be named. */
  also: number;
}
/** Limits of an answer; a passage far behind the best one only distracts, and another memory says more than the same one again. */
const QUOTED: PassageChoice = { most: 6, perMemory: 2, nearBest: 0.05, again: 0.5, also: 4 };

interface CountedText {
  /** How often a stem of the question is said, or in part what is used like it. */
  counts: ReadonlyMap<string, number>;
  /** The stems of the question that are there themselves. */
  said: ReadonlySet<string>;
  /** Words of the text. */
  length: number;
}

interface Candidate extends CountedText {
  source: AnswerSource;
  passage: Passage;
  /** Its place among the passages of its source. */
  at: number;
  /** What its title and heading say, as `counts` does. */
  above: ReadonlyMap<string, number>;
}

/** By stem of a text: the stems of the question that it counts for, and how much. */
type Worth = ReadonlyMap<string, readonly { asked: string; share: number }[]>;

/** The passages of the sources that match the question best; without vectors by its own words alone. */
export function extractAnswer(
  question: string,
  sources: readonly AnswerSource[],
  {
    choice = QUOTED,
    wordVectors,
  }: { choice?: PassageChoice | undefined; wordVectors?: WordVectors | undefined } = {},
): ExtractiveAnswer {
  const stems = askedStems(question);
  const worth = worthFor(stems, wordVectors);
  const candidates = sources.flatMap((source) => candidatesOf(source, worth));
  const weights = weightsOf(stems, candidates);
  const asked = stems.reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0);
  const meanLength = candidates.reduce((sum, { length }) => sum + length, 0) / Math.max(1, candidates.length);
  const bestScore = Math.max(...sources.map(({ score }) => score), Number.MIN_VALUE);
  const matching = candidates
    .map((candidate) => {
      const place = 1 - SEARCH_SHARE + SEARCH_SHARE * (candidate.source.score / bestScore);
      return { ...candidate, score: matchOf(candidate, weights, meanLength) * place };
    })
    .sort((one, other) => other.score - one.score);
  const byWords = matching.filter(({ said, score }) => said.size > 0 || score > OTHER_WORDS_SHARE * asked);
  const isNear = sources.some(({ near = [] }) => near.length > 0);
  const ranked = isNear ? withMeaning(byWords, matching) : byWords;
  const { chosen, also } = chooseFrom(ranked, choice);
  const spoken = new Set(chosen.flat().flatMap(({ said }) => [...said]));
  const covered = [...spoken].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0);
  return {
    quotations: chosen.map(quotationOf),
    also: also.map((candidate) => quotationOf([candidate])),
    coverage: asked === 0 ? 0 : covered / asked,
  };
}

/** One passage, or several that follow each other. */
type Run<C extends Candidate = Candidate> = readonly [C, ...C[]];

function quotationOf(run: Run): Quotation {
  const [{ source, passage }] = run;
  const text = run.map(({ passage: { joint = '', text: words } }, index) =>
    index === 0 ? words : joint + words,
  );
  return { memoryId: source.id, text: text.join(''), isCode: passage.isCode };
}

/** Fuses the ranks by words with those by meaning, as the search does with memories (reciprocal rank fusion). */
function withMeaning<C extends Candidate & { score: number }>(byWords: readonly C[], all: readonly C[]): C[] {
  const places = new Map(all.map((candidate) => [candidate, nearPlace(candidate)]));
  const byMeaning = all
    .filter((candidate) => places.get(candidate) !== undefined)
    .toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  const points = (ranking: readonly C[]) =>
    new Map(ranking.map((candidate, index) => [candidate, 1 / (RANK_OFFSET + index + 1)]));
  const [words, meaning] = [points(byWords), points(byMeaning)];
  return all
    .map((candidate) => ({
      ...candidate,
      score: (words.get(candidate) ?? 0) + (meaning.get(candidate) ?? 0),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
}

/** Rank of the passage among the nearest by meaning: first by its piece, then by its memory; undefined when it has none. */
function nearPlace({ source, passage }: Candidate): number | undefined {
  const piece = (source.near ?? []).findIndex((text) => `\n${text}\n`.includes(`\n${passage.text}\n`));
  return piece === -1 ? undefined : piece - source.score;
}

function worthFor(stems: readonly string[], vectors: WordVectors | undefined): Worth {
  const worth = new Map(stems.map((stem) => [stem, [{ asked: stem, share: 1 }]]));
  for (const asked of stems.slice(0, COMPARED_MAX))
    for (const { stem, likeness } of vectors?.similarTo(asked) ?? []) {
      // A word of the question counts for itself.
      if (stems.includes(stem)) continue;
      worth.set(stem, [...(worth.get(stem) ?? []), { asked, share: RANK.similar * likeness }]);
    }
  return worth;
}

function candidatesOf(source: AnswerSource, worth: Worth): Candidate[] {
  const title = countWords(source.title, worth);
  return source.texts.flatMap(passagesOf).map((passage, at) => {
    const heading = countWords(passage.heading, worth);
    const own = countWords(passage.text, worth);
    const above = new Map<string, number>();
    for (const [part, factor] of [
      [heading, RANK.heading],
      [title, RANK.title],
    ] as const)
      for (const [stem, count] of part.counts)
        above.set(stem, (above.get(stem) ?? 0) + factor * Math.min(1, count));
    const said = new Set([...own.said, ...heading.said, ...title.said]);
    return { ...own, source, passage, at, above, said };
  });
}

function countWords(text: string, worth: Worth): CountedText {
  const counts = new Map<string, number>();
  const said = new Set<string>();
  const terms = termsOf(text);
  for (const stem of terms.map(stemOf))
    for (const { asked, share } of worth.get(stem) ?? []) {
      counts.set(asked, (counts.get(asked) ?? 0) + share);
      if (asked === stem) said.add(stem);
    }
  return { counts, said, length: terms.length };
}

/** The weight of each stem; rare stems weigh most. */
function weightsOf(stems: readonly string[], candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  return new Map(
    stems.map((stem) => {
      const holders = candidates.filter(({ said }) => said.has(stem)).length;
      return [stem, Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
}

/** As BM25F: the length of a passage counts for its own words alone, or a short line below a fitting title would be best. */
function matchOf(
  { counts, above, length }: Candidate,
  weights: ReadonlyMap<string, number>,
  meanLength: number,
) {
  const share = 1 - RANK.b + (RANK.b * length) / Math.max(1, meanLength);
  let matched = 0;
  for (const [stem, weight] of weights) {
    const count = (counts.get(stem) ?? 0) / share + (above.get(stem) ?? 0);
    matched += (weight * count * (RANK.k1 + 1)) / (count + RANK.k1);
  }
  return matched;
}

/** A passage that goes on from one that is chosen, or leads to it, becomes one quotation with it. */
function chooseFrom<C extends Candidate & { score: number }>(
  ranked: readonly C[],
  choice: PassageChoice,
): { chosen: Run<C>[]; also: C[] } {
  const floor = (ranked[0]?.score ?? 0) * choice.nearBest;
  const better = new Map<string, number>();
  const spread = ranked
    .map((candidate) => {
      const count = better.get(candidate.source.id) ?? 0;
      better.set(candidate.source.id, count + 1);
      return { candidate, score: candidate.score * choice.again ** count };
    })
    .filter(({ score }) => score >= floor)
    .toSorted((one, other) => other.score - one.score)
    .map(({ candidate }) => candidate);
  const chosen: Run<C>[] = [];
  const also: C[] = [];
  for (const candidate of spread) {
    const isOfSame = ({ source }: C) => source.id === candidate.source.id;
    if (chosen.flat().some(({ passage }) => passage.text === candidate.passage.text)) continue;
    const isRoom = chosen.flat().filter(isOfSame).length < choice.perMemory;
    const joined = isRoom ? chosen.findIndex((run) => joinedRun(run, candidate) !== undefined) : -1;
    const run = chosen[joined] && joinedRun(chosen[joined], candidate);
    if (run !== undefined) chosen[joined] = run;
    else if (isRoom && chosen.length < choice.most) chosen.push([candidate]);
    else if (also.length < choice.also && ![...chosen.flat(), ...also].some(isOfSame)) also.push(candidate);
  }
  return { chosen, also };
}

/** Undefined where the passage does not touch the run, or both together are too long for a quotation. */
function joinedRun<C extends Candidate>(run: Run<C>, candidate: C): Run<C> | undefined {
  const [first] = run;
  const last = run.at(-1) ?? first;
  if (first.source.id !== candidate.source.id) return undefined;
  const isAfter = candidate.at === last.at + 1 && candidate.passage.joint !== undefined;
  const isBefore = candidate.at === first.at - 1 && first.passage.joint !== undefined;
  const joined: Run<C> | undefined = isAfter
    ? [...run, candidate]
    : isBefore
      ? [candidate, ...run]
      : undefined;
  return joined && quotationOf(joined).text.length <= ANSWERS.quoteMax ? joined : undefined;
}

/** Passages that cover less than this share of the question are shown, but not called an answer. */
const CLOSE = 0.5;

/**
 * Whose access limits an answer: other readers of the thread may not be able to read everything that its author can.
 */
export type AnswerReach = 'person' | 'workspace' | 'public';

/** A visitor reads what one space shows. */
type Reader = AnswerReach | 'visitor';

const LOOKED_AT: Readonly<Record<Reader, string>> = {
  person: '',
  workspace: ' Others read this thread, so only memories that the whole workspace can read were searched.',
  public: ' This thread is public, so only what your public spaces show was searched.',
  visitor: '',
};

/** The answer as Markdown; numbers in brackets refer to the sources. */
export function writeExtractiveAnswer(
  { quotations, also, coverage, period }: ExtractiveAnswer,
  reach: Reader,
): string {
  const here = reach === 'visitor' ? 'this space' : 'your memories';
  if (quotations.length === 0) {
    const what = period === undefined ? ` about this in ${here}` : ` in ${here}, ${periodInWords(period)}`;
    return `I found nothing${what}.${LOOKED_AT[reach]}`;
  }
  const isClose = coverage !== null && coverage >= CLOSE;
  const first =
    period !== undefined
      ? `From ${here}, ${periodInWords(period)}, newest first:`
      : coverage === null
        ? `There was not enough time to read ${here}. These match by their titles:`
        : isClose
          ? `These passages from ${here} come closest:`
          : `I found no clear answer in ${here}. These passages come closest:`;
  const others = also.map((_, index) => mark(quotations.length + index));
  return [
    first,
    ...quotations.map(quoted),
    others.length === 0 ? '' : `See also ${others.join(' ')}`,
    isClose ? '' : LOOKED_AT[reach].trim(),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const mark = (index: number): string => `\\[${index + 1}\\]`;

function quoted({ text, isCode }: Quotation, index: number): string {
  if (!isCode) return `> ${escapeMarkdown(text)} ${mark(index)}`;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...text.split('\n'), fence, mark(index)].map((line) => `> ${line}`).join('\n');
}
