/**
 * The inner loops of every search, over postings. They decode varints in place, since a function call per posting would
 * double the time of a search. Ranking is decided elsewhere.
 */
import { FLAG_BITS, IS_SINGLE, type TermData } from './segment.ts';

/** Working memory of one search, by document number; all zero between searches. */
export interface Scratch {
  /** Weighted counts of the current words, by document. */
  counts: Float32Array;
  /** How many required words a document has met so far. */
  stages: Uint16Array;
  scores: Float64Array;
  /** Bits of the filter conditions that a document meets. */
  conditions: Uint32Array;
  /** Documents whose count became non-zero, in the first `touchedLength` places. */
  touched: Uint32Array;
  touchedLength: number;
  /** Documents still in the running, in the first `candidatesLength` places. */
  candidates: Uint32Array;
  candidatesLength: number;
}

/** Working memory for segments of up to `docCount` documents. */
export function createScratch(docCount: number): Scratch {
  return {
    counts: new Float32Array(docCount),
    stages: new Uint16Array(docCount),
    scores: new Float64Array(docCount),
    conditions: new Uint32Array(docCount),
    touched: new Uint32Array(docCount),
    touchedLength: 0,
    candidates: new Uint32Array(docCount),
    candidatesLength: 0,
  };
}

/** How a run of neighbouring terms counts in a search. Their postings are adjacent and are read in one go. */
export interface TermUse {
  first: number;
  /** The term after the last. */
  end: number;
  factor: number;
  /** When positive, `factor` is for a term of this many bytes, and longer ones count the less the longer they are. */
  fullLength: number;
  /** Flags that a posting must have; 0 for none. */
  mask: number;
  /** 1 for the word that is looked for, in whatever form; less for a word that is only used like it. */
  likeness: number;
}

/** Adds the counts of terms to every document that has them, and lists documents met for the first time. */
export function addCounts(data: TermData, use: TermUse, scratch: Scratch): void {
  const { postings, postingStarts } = data;
  const { counts, touched } = scratch;
  const { mask } = use;
  let at = postingStarts[use.first] ?? 0;
  let length = scratch.touchedLength;
  for (let term = use.first; term < use.end; term += 1) {
    const factor = factorOf(data, use, term);
    const end = postingStarts[term + 1] ?? 0;
    let doc = 0;
    while (at < end) {
      let byte = postings[at++] ?? 0;
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      doc += value;
      byte = postings[at++] ?? 0;
      value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      if ((value & mask) !== mask) continue;
      const before = counts[doc] ?? 0;
      if (before === 0) touched[length++] = doc;
      counts[doc] = before + (value >>> FLAG_BITS) * factor;
    }
  }
  scratch.touchedLength = length;
}

/** Adds the counts of terms to the documents at this stage only. */
export function addCountsAtStage(data: TermData, use: TermUse, scratch: Scratch, stage: number): void {
  const { postings, postingStarts } = data;
  const { counts, stages } = scratch;
  const { mask } = use;
  let at = postingStarts[use.first] ?? 0;
  for (let term = use.first; term < use.end; term += 1) {
    const factor = factorOf(data, use, term);
    const end = postingStarts[term + 1] ?? 0;
    let doc = 0;
    while (at < end) {
      let byte = postings[at++] ?? 0;
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      doc += value;
      byte = postings[at++] ?? 0;
      value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      if (stages[doc] !== stage || (value & mask) !== mask) continue;
      counts[doc] = (counts[doc] ?? 0) + (value >>> FLAG_BITS) * factor;
    }
  }
}

function factorOf(data: TermData, use: TermUse, term: number): number {
  if (use.fullLength === 0) return use.factor;
  const length = (data.termStarts[term + 1] ?? 0) - (data.termStarts[term] ?? 0);
  return (use.factor * use.fullLength) / length;
}

export function visitPostings(
  { postings, postingStarts }: TermData,
  first: number,
  end: number,
  visit: (doc: number, value: number, term: number) => void,
): void {
  let at = postingStarts[first] ?? 0;
  for (let term = first; term < end; term += 1) {
    const stop = postingStarts[term + 1] ?? 0;
    let doc = 0;
    while (at < stop) {
      let byte = postings[at++] ?? 0;
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      doc += value;
      byte = postings[at++] ?? 0;
      value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++] ?? 0;
        value |= (byte & 127) << shift;
      }
      visit(doc, value, term);
    }
  }
}

/** Sets a condition bit on every document that has one of the terms with these flags. */
export function markDocuments(data: TermData, use: TermUse, conditions: Uint32Array, bit: number): void {
  for (let term = use.first; term < use.end; term += 1) {
    const reader = readPostings(data, term, false);
    while (reader.next()) {
      if ((reader.value & use.mask) === use.mask)
        conditions[reader.doc] = (conditions[reader.doc] ?? 0) | bit;
    }
  }
}

/** Steps through one term's postings and positions; for code where speed is less important. */
export interface PostingReader {
  doc: number;
  /** Weighted count and flags as stored. */
  value: number;
  /** Moves to the next document; false at the end. */
  next(): boolean;
  /** Positions in the current document; none when the reader was made without. */
  positions(): number[];
  /** The same as stored bytes. */
  positionBytes(): Uint8Array;
}

/** A reader before the first posting of a term; `withPositions` makes it advance through the positions too. */
export function readPostings(data: TermData, term: number, withPositions: boolean): PostingReader {
  const postings = { bytes: data.postings, at: data.postingStarts[term] ?? 0 };
  const positions = { bytes: data.positions, at: data.positionStarts[term] ?? 0 };
  const end = data.postingStarts[term + 1] ?? 0;
  const hasPositions = withPositions && positions.at !== data.positionStarts[term + 1];
  let start = positions.at;
  const reader: PostingReader = {
    doc: 0,
    value: 0,
    next() {
      if (postings.at >= end) return false;
      reader.doc += readVarint(postings);
      reader.value = readVarint(postings);
      start = positions.at;
      if (hasPositions) skipVarints(positions, reader.value & IS_SINGLE ? 1 : readVarint(positions));
      return true;
    },
    positions() {
      const source = { bytes: positions.bytes, at: start };
      if (!hasPositions) return [];
      const found: number[] = [];
      let position = 0;
      for (let left = reader.value & IS_SINGLE ? 1 : readVarint(source); left > 0; left -= 1) {
        position += readVarint(source);
        found.push(position);
      }
      return found;
    },
    positionBytes() {
      return positions.bytes.subarray(start, positions.at);
    },
  };
  return reader;
}

interface ByteSource {
  bytes: Uint8Array;
  at: number;
}

function readVarint(source: ByteSource): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = source.bytes[source.at++] ?? 0;
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
}

function skipVarints(source: ByteSource, count: number): void {
  for (let left = count; left > 0;) if ((source.bytes[source.at++] ?? 0) < 128) left -= 1;
}
