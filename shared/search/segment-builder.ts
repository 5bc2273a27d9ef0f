/**
 * Builds a segment from documents: analyses their texts into one long token stream, then sorts it by term.
 * Works in memory in one go; merging and storing are done elsewhere.
 */
import { visitTerms } from '../memories/text-analysis.ts';
import { createByteWriter, finishBytes, writeVarint, type ByteWriter } from './byte-writer.ts';
import {
  FACET_FIELD,
  facetTermsOf,
  FIELD_WEIGHTS,
  textsOf,
  TITLE_FIELD,
  URL_FIELD,
  type SearchDocument,
} from './search-document.ts';
import {
  countsOf,
  FLAG_BITS,
  idStartsOf,
  IN_TITLE,
  IN_URL,
  IS_SINGLE,
  type SegmentData,
  type TermData,
} from './segment.ts';
import { createTermNumbers, type TermNumbers } from './term-numbers.ts';
import { packStrings, sortTerms } from './term-order.ts';

/** Between two texts of a document, so that no phrase spans them. */
const POSITION_GAP = 2;
const FIELD_BITS = 3;
/** Longest stretch of one document that is searchable; a memory beyond it (some million letters) is found by its beginning. */
const POSITION_MAX = 500_000;
/** Titles and addresses are short; if one is longer, its operator matches only its beginning. */
const SHORT_MAX = 0xffff;

interface TokenStream {
  terms: TermNumbers;
  /** Per token: its term, and its position with the field in the lowest bits. */
  term: Uint32Array;
  slot: Uint32Array;
  length: number;
  /** Stream end of each document. */
  ends: number[];
}

interface TokenLayout {
  /** Weighted number of words. */
  length: number;
  titleEnd: number;
  urlEnd: number;
}

type DocumentFacts = TokenLayout & Pick<SearchDocument, 'id' | 'created' | 'stamp' | 'archived'>;

/** Collects documents; `finish` may be called once. Adding an id twice is the caller's mistake. */
export interface SegmentBuilder {
  add(document: SearchDocument): void;
  finish(): SegmentData;
}

export function createSegmentBuilder(): SegmentBuilder {
  const stream: TokenStream = {
    terms: createTermNumbers(),
    term: new Uint32Array(1024),
    slot: new Uint32Array(1024),
    length: 0,
    ends: [],
  };
  const facts: DocumentFacts[] = [];
  return {
    add(document) {
      const { id, created, stamp, archived } = document;
      facts.push({ id, created, stamp, archived, ...addTokens(stream, document) });
    },
    finish() {
      const ids = packStrings(facts.map((each) => each.id));
      return {
        idBytes: ids.bytes,
        idStarts: idStartsOf(ids.starts),
        lengths: countsOf(Uint32Array.from(facts, (each) => each.length)),
        titleEnds: Uint16Array.from(facts, (each) => each.titleEnd),
        urlEnds: Uint16Array.from(facts, (each) => each.urlEnd),
        created: Float64Array.from(facts, (each) => each.created),
        stamps: Uint32Array.from(facts, (each) => each.stamp),
        archived: Uint8Array.from(facts, (each) => (each.archived ? 1 : 0)),
        ...invert(stream),
      };
    },
  };
}

/** Appends all tokens of a document and returns their layout. */
function addTokens(stream: TokenStream, document: SearchDocument): TokenLayout {
  const layout: TokenLayout = { length: 0, titleEnd: 0, urlEnd: 0 };
  let position = 0;
  for (const { field, text } of textsOf(document)) {
    const words = addWords(stream, text, { field, position });
    if (words === 0) continue;
    if (field === TITLE_FIELD) layout.titleEnd = Math.min(words, SHORT_MAX);
    if (field === URL_FIELD) layout.urlEnd = Math.min(position + words, SHORT_MAX);
    position += words + POSITION_GAP;
    layout.length += words * (FIELD_WEIGHTS[field] ?? 0);
  }
  for (const term of facetTermsOf(document))
    push(stream, stream.terms.numberOf(term, 0, term.length), FACET_FIELD);
  stream.ends.push(stream.length);
  return layout;
}

/** Appends the words of one text from a position on, up to the length limit of a document, and returns their number. */
function addWords(stream: TokenStream, text: string, at: { field: number; position: number }): number {
  const { terms } = stream;
  let slot = (at.position << FIELD_BITS) | at.field;
  const end = POSITION_MAX << FIELD_BITS;
  const before = stream.length;
  visitTerms(text, (source, first, last) => {
    if (slot >= end) return;
    push(stream, terms.numberOf(source, first, last), slot);
    slot += 1 << FIELD_BITS;
  });
  return stream.length - before;
}

function push(stream: TokenStream, term: number, slot: number): void {
  if (stream.length === stream.term.length) grow(stream);
  stream.term[stream.length] = term;
  stream.slot[stream.length] = slot;
  stream.length += 1;
}

function grow(stream: TokenStream): void {
  const [term, slot] = [new Uint32Array(stream.length * 2), new Uint32Array(stream.length * 2)];
  term.set(stream.term);
  slot.set(stream.slot);
  stream.term = term;
  stream.slot = slot;
}

function invert(stream: TokenStream): TermData {
  const { terms, order } = sortTerms(stream.terms.terms);
  const sorted = sortTokens(stream, order);
  const count = terms.length;
  const frequencies = new Uint32Array(count);
  const postingStarts = new Uint32Array(count + 1);
  const positionStarts = new Uint32Array(count + 1);
  const postings = createByteWriter(stream.length * 2);
  const positions = createByteWriter(stream.length * 2);
  for (let term = 0; term < count; term += 1) {
    frequencies[term] = writeTerm(sorted, term, postings, positions);
    postingStarts[term + 1] = postings.length;
    positionStarts[term + 1] = positions.length;
  }
  const packed = packStrings(terms);
  return {
    termBytes: packed.bytes,
    termStarts: packed.starts,
    frequencies: countsOf(frequencies),
    postings: finishBytes(postings),
    postingStarts,
    positions: finishBytes(positions),
    positionStarts,
  };
}

interface SortedTokens {
  starts: Uint32Array;
  doc: Uint32Array;
  slot: Uint32Array;
}

/** Counting sort by term; documents and positions stay in ascending order within a term. */
function sortTokens(stream: TokenStream, order: Uint32Array): SortedTokens {
  const { term, slot, length, ends } = stream;
  const starts = new Uint32Array(order.length + 1);
  for (let token = 0; token < length; token += 1) {
    const rank = (order[term[token] ?? 0] ?? 0) + 1;
    starts[rank] = (starts[rank] ?? 0) + 1;
  }
  for (let rank = 1; rank <= order.length; rank += 1)
    starts[rank] = (starts[rank] ?? 0) + (starts[rank - 1] ?? 0);
  const next = starts.slice();
  const sorted = { starts, doc: new Uint32Array(length), slot: new Uint32Array(length) };
  let token = 0;
  for (let doc = 0; doc < ends.length; doc += 1) {
    for (const end = ends[doc] ?? 0; token < end; token += 1) {
      const rank = order[term[token] ?? 0] ?? 0;
      const place = next[rank] ?? 0;
      next[rank] = place + 1;
      sorted.doc[place] = doc;
      sorted.slot[place] = slot[token] ?? 0;
    }
  }
  return sorted;
}

/** Writes postings and positions of one term and returns the number of its documents. */
function writeTerm(sorted: SortedTokens, term: number, postings: ByteWriter, positions: ByteWriter): number {
  const { doc: docs, slot: slots } = sorted;
  const end = sorted.starts[term + 1] ?? 0;
  let at = sorted.starts[term] ?? 0;
  let previous = 0;
  let frequency = 0;
  while (at < end) {
    const doc = docs[at] ?? 0;
    const first = at;
    let weight = 0;
    let flags = 0;
    for (; at < end && docs[at] === doc; at += 1) {
      const field = (slots[at] ?? 0) & 7;
      weight += FIELD_WEIGHTS[field] ?? 0;
      if (field === TITLE_FIELD) flags |= IN_TITLE;
      else if (field === URL_FIELD) flags |= IN_URL;
    }
    if (at === first + 1) flags |= IS_SINGLE;
    writeVarint(postings, doc - previous);
    writeVarint(postings, (weight << FLAG_BITS) | flags);
    previous = doc;
    frequency += 1;
    if (((slots[first] ?? 0) & 7) !== FACET_FIELD) writePositions(slots, first, at, positions);
  }
  return frequency;
}

function writePositions(slots: Uint32Array, first: number, end: number, positions: ByteWriter): void {
  if (end > first + 1) writeVarint(positions, end - first);
  let previous = 0;
  for (let at = first; at < end; at += 1) {
    const position = (slots[at] ?? 0) >>> FIELD_BITS;
    writeVarint(positions, position - previous);
    previous = position;
  }
}
