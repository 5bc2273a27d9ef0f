/**
 * The words of each document, inverted from the postings of a segment. Needed for relevance feedback only, so they are
 * built at its first use and dropped with the segment; never stored.
 */
import { visitPostings } from './postings.ts';
import { FLAG_BITS, type SegmentData } from './segment.ts';

/** Term number in the upper bits, weighted count up to `COUNT_MAX` in the lower. */
interface Forward {
  /** Entries of document n span `starts[n]` to `starts[n + 1]`. */
  starts: Uint32Array;
  entries: Uint32Array;
}

const COUNT_BITS = 8;
const COUNT_MAX = 2 ** COUNT_BITS - 1;
const TERMS_MAX = 2 ** (32 - COUNT_BITS);
/** First byte of the terms of operators. */
const FACET_BYTE = 1;

const forwards = new WeakMap<SegmentData, Forward>();

/** Visits the words of a document with their weighted counts. */
export function visitWords(
  data: SegmentData,
  doc: number,
  visit: (term: number, count: number) => void,
): void {
  const { starts, entries } = forwards.get(data) ?? build(data);
  for (let at = starts[doc] ?? 0; at < (starts[doc + 1] ?? 0); at += 1) {
    const entry = entries[at] ?? 0;
    visit(entry >>> COUNT_BITS, entry & COUNT_MAX);
  }
}

function build(data: SegmentData): Forward {
  const terms = Math.min(data.frequencies.length, TERMS_MAX);
  const starts = new Uint32Array(data.lengths.length + 1);
  let first = 0;
  while (first < terms && data.termBytes[data.termStarts[first] ?? 0] === FACET_BYTE) first += 1;
  visitPostings(data, first, terms, (doc) => {
    starts[doc + 1] = (starts[doc + 1] ?? 0) + 1;
  });
  for (let doc = 1; doc < starts.length; doc += 1) starts[doc] = (starts[doc] ?? 0) + (starts[doc - 1] ?? 0);
  const next = starts.slice();
  const entries = new Uint32Array(starts.at(-1) ?? 0);
  visitPostings(data, first, terms, (doc, value, term) => {
    const place = next[doc] ?? 0;
    next[doc] = place + 1;
    entries[place] = term * (COUNT_MAX + 1) + Math.min(value >>> FLAG_BITS, COUNT_MAX);
  });
  const forward = { starts, entries };
  forwards.set(data, forward);
  return forward;
}
