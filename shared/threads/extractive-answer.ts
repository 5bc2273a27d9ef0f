/**
 * Answers without a language model: quotes the passages of a few memories that match a question best, with their
 * sources. Passages are ranked as BM25 ranks documents (Robertson and Zaragoza, 2009); the words of titles and headings
 * count for the text below them. Pure.
 */
import type { Id } from '../ids.ts';
import { escapeMarkdown } from '../markdown/escape-markdown.ts';
import { RANK_OFFSET } from '../search/embedding-limits.ts';
import { stemOf } from '../search/stem.ts';
import { termsOf } from '../memories/text-analysis.ts';
import { passagesOf, type Passage } from './passages.ts';
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
  /** Share of the question's words that the passages cover, 0 to 1; null where the texts could not be read in time. */
  coverage: number | null;
}

/** Constants of BM25, and what a word in a title or heading counts beside one in the passage. */
const RANK = { k1: 1.2, b: 0.5, heading: 0.7, title: 0.8 } as const;
/** A memory that the search put first counts so much more than the last. */
const SEARCH_SHARE = 0.6;
/** How many passages are chosen, in all and of one memory, and what share of the best one's score they need. */
export interface PassageChoice {
  most: number;
  perMemory: number;
  nearBest: number;
}
/** Limits of an answer; a passage far behind the best one only distracts. */
const QUOTED: PassageChoice = { most: 5, perMemory: 2, nearBest: 0.2 };

interface Candidate {
  source: AnswerSource;
  passage: Passage;
  counts: ReadonlyMap<string, number>;
  length: number;
}

/** The passages of the sources that match the question best. */
export function extractAnswer(
  question: string,
  sources: readonly AnswerSource[],
  choice: PassageChoice = QUOTED,
): ExtractiveAnswer {
  const stems = askedStems(question);
  const candidates = sources.flatMap((source) => candidatesOf(source, new Set(stems)));
  const weights = weightsOf(stems, candidates);
  const asked = stems.reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0);
  const meanLength = candidates.reduce((sum, { length }) => sum + length, 0) / Math.max(1, candidates.length);
  const bestScore = Math.max(...sources.map(({ score }) => score), Number.MIN_VALUE);
  const matching = candidates
    .map((candidate) => {
      const { matched, said } = matchOf(candidate, weights, meanLength);
      const place = 1 - SEARCH_SHARE + SEARCH_SHARE * (candidate.source.score / bestScore);
      return { ...candidate, said, score: matched * place };
    })
    .sort((one, other) => other.score - one.score);
  const byWords = matching.filter(({ score }) => score > 0);
  const isNear = sources.some(({ near = [] }) => near.length > 0);
  const ranked = isNear ? withMeaning(byWords, matching) : byWords;
  const chosen = chooseFrom(ranked, choice);
  const spoken = new Set(chosen.flatMap(({ said }) => said));
  const covered = [...spoken].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0);
  return {
    quotations: chosen.map(({ source, passage: { text, isCode } }) => ({
      memoryId: source.id,
      text,
      isCode,
    })),
    coverage: asked === 0 ? 0 : covered / asked,
  };
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

function candidatesOf(source: AnswerSource, stems: ReadonlySet<string>): Candidate[] {
  const inTitle = countsOf(source.title, stems).counts;
  return source.texts.flatMap(passagesOf).map((passage) => {
    const own = countsOf(passage.text, stems);
    const inHeading = countsOf(passage.heading, stems).counts;
    const counts = new Map<string, number>();
    for (const stem of stems) {
      const above = (inHeading.has(stem) ? RANK.heading : 0) + (inTitle.has(stem) ? RANK.title : 0);
      const count = (own.counts.get(stem) ?? 0) + above;
      if (count > 0) counts.set(stem, count);
    }
    return { source, passage, counts, length: own.length };
  });
}

function countsOf(text: string, stems: ReadonlySet<string>) {
  const counts = new Map<string, number>();
  const terms = termsOf(text);
  for (const term of terms) {
    const stem = stemOf(term);
    if (stems.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length: terms.length };
}

/** The weight of each stem; rare stems weigh most. */
function weightsOf(stems: readonly string[], candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  return new Map(
    stems.map((stem) => {
      const holders = candidates.filter(({ counts }) => counts.has(stem)).length;
      return [stem, Math.log(1 + (candidates.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
}

function matchOf({ counts, length }: Candidate, weights: ReadonlyMap<string, number>, meanLength: number) {
  const damping = RANK.k1 * (1 - RANK.b + (RANK.b * length) / Math.max(1, meanLength));
  let matched = 0;
  for (const [stem, count] of counts) {
    matched += ((weights.get(stem) ?? 0) * count * (RANK.k1 + 1)) / (count + damping);
  }
  return { matched, said: [...counts.keys()] };
}

function chooseFrom<C extends { score: number; source: AnswerSource; passage: Passage }>(
  ranked: readonly C[],
  { most, perMemory, nearBest }: PassageChoice,
): C[] {
  const floor = (ranked[0]?.score ?? 0) * nearBest;
  const chosen: C[] = [];
  for (const candidate of ranked) {
    if (chosen.length === most || candidate.score < floor) break;
    const ofSame = chosen.filter(({ source }) => source.id === candidate.source.id);
    const isRepeat = chosen.some(({ passage }) => passage.text === candidate.passage.text);
    if (ofSame.length < perMemory && !isRepeat) chosen.push(candidate);
  }
  return chosen;
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
export function writeExtractiveAnswer({ quotations, coverage }: ExtractiveAnswer, reach: Reader): string {
  const here = reach === 'visitor' ? 'this space' : 'your memories';
  if (quotations.length === 0) return `I found nothing about this in ${here}.${LOOKED_AT[reach]}`;
  const isClose = coverage !== null && coverage >= CLOSE;
  const first =
    coverage === null
      ? `There was not enough time to read ${here}. These match by their titles:`
      : isClose
        ? `These passages from ${here} come closest:`
        : `I found no clear answer in ${here}. These passages come closest:`;
  return [first, ...quotations.map(quoted), ...(isClose ? [] : [LOOKED_AT[reach].trim()])]
    .filter((part) => part !== '')
    .join('\n\n');
}

function quoted({ text, isCode }: Quotation, index: number): string {
  const mark = `\\[${index + 1}\\]`;
  if (!isCode) return `> ${escapeMarkdown(text)} ${mark}`;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}\n\n${mark}`;
}
