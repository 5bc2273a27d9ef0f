/** Okapi BM25 over stems, any of which may be missing: the yardstick of retrieval research. */
import { textsOf, type SearchDocument } from '#shared/search/search-document.ts';
import { BM25_B, BM25_K1, inverseFrequency } from '#shared/search/segment-search.ts';
import { termsOf } from '#shared/memories/text-analysis.ts';

/** The English words that are usually left out. */
const STOP_WORDS = new Set(
  (
    'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its ' +
    'itself they them their theirs themselves what which who whom this that these those am is are was were be been being have ' +
    'has had having do does did doing a an the and but if or because as until while of at by for with about against between ' +
    'into through during before after above below to from up down in out on off over under again further then once here there ' +
    'when where why how all any both each few more most other some such no nor not only own same so than too very s t can will ' +
    'just don should now'
  ).split(' '),
);
export const isStopWord = (term: string): boolean => STOP_WORDS.has(term);

/** Ids of the `depth` best documents for a query, best first. */
export function plainBm25(
  documents: readonly SearchDocument[],
  {
    stem,
    isLeftOut = () => false,
    depth,
  }: { stem: (term: string) => string; isLeftOut?: (term: string) => boolean; depth: number },
): (query: string) => string[] {
  const stemsIn = (text: string) => termsOf(text).flatMap((term) => (isLeftOut(term) ? [] : [stem(term)]));
  const texts = documents.map((document) => textsOf(document).flatMap(({ text }) => stemsIn(text)));
  const meanLength = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const postings = new Map<string, Map<number, number>>();
  texts.forEach((terms, document) => {
    for (const term of terms) {
      const counts = postings.get(term) ?? new Map<number, number>();
      postings.set(term, counts.set(document, (counts.get(document) ?? 0) + 1));
    }
  });
  return (query) => {
    const scores = new Map<number, number>();
    for (const term of new Set(stemsIn(query))) {
      const holders = postings.get(term) ?? new Map<number, number>();
      const idf = inverseFrequency(holders.size, texts.length);
      for (const [document, count] of holders) {
        const length = texts[document]?.length ?? 0;
        const norm = BM25_K1 * (1 - BM25_B + (BM25_B * length) / meanLength);
        scores.set(document, (scores.get(document) ?? 0) + (idf * count * (BM25_K1 + 1)) / (count + norm));
      }
    }
    const best = [...scores].toSorted(([, one], [, other]) => other - one).slice(0, depth);
    return best.map(([document]) => documents[document]?.id ?? '');
  };
}
