/**
 * Merges segments into one without their deleted documents. Runs in slices, so that searches and other work of the
 * thread can run in between; the sources stay in use until the caller swaps the result in.
 */
import { createByteWriter, finishBytes, writeBytes, writeVarint, type ByteWriter } from './byte-writer.ts';
import {
  countsOf,
  docCountOf,
  idStartOf,
  idStartsOf,
  type DocumentData,
  type Segment,
  type SegmentData,
  type TermData,
} from './segment.ts';
import { readPostings } from './postings.ts';

/** The merged data, and for each source where its documents went (-1 = left out). */
export interface MergeResult {
  data: SegmentData;
  places: Int32Array[];
}

/** Work between two pauses; a term is never divided. */
const SLICE_DOCUMENTS = 8_192;
const SLICE_TERMS = 1_000;
const SLICE_BYTES = 32_768;

/** Merges in order of the sources; every `next()` does some milliseconds of work. */
export function* mergeSegments(sources: readonly Segment[]): Generator<undefined, MergeResult> {
  const places = placesOf(sources);
  const documents = yield* mergeDocuments(sources, places);
  yield;
  const terms = yield* mergeTerms(sources, places);
  return { data: { ...documents, ...terms }, places };
}

function placesOf(sources: readonly Segment[]): Int32Array[] {
  let next = 0;
  return sources.map((source) => {
    const places = new Int32Array(docCountOf(source));
    for (let doc = 0; doc < places.length; doc += 1) places[doc] = source.deleted[doc] === 1 ? -1 : next++;
    return places;
  });
}

function* mergeDocuments(
  sources: readonly Segment[],
  places: readonly Int32Array[],
): Generator<undefined, DocumentData> {
  const count = sources.reduce((sum, source) => sum + source.liveCount, 0);
  const ids = createByteWriter(count * 40 + 8);
  const merged = {
    idStarts: new Uint32Array(count + 1),
    lengths: new Uint32Array(count),
    titleEnds: new Uint16Array(count),
    urlEnds: new Uint16Array(count),
    created: new Float64Array(count),
    stamps: new Uint32Array(count),
    archived: new Uint8Array(count),
  };
  for (const [index, { data }] of sources.entries()) {
    for (const [doc, place] of (places[index] ?? new Int32Array()).entries()) {
      if (doc % SLICE_DOCUMENTS === SLICE_DOCUMENTS - 1) yield;
      if (place === -1) continue;
      writeBytes(ids, data.idBytes.subarray(idStartOf(data, doc), idStartOf(data, doc + 1)));
      merged.idStarts[place + 1] = ids.length;
      copyFacts(data, doc, merged, place);
    }
  }
  return {
    ...merged,
    idBytes: finishBytes(ids),
    idStarts: idStartsOf(merged.idStarts),
    lengths: countsOf(merged.lengths),
  };
}

function copyFacts(
  data: DocumentData,
  doc: number,
  merged: Omit<DocumentData, 'idBytes'>,
  place: number,
): void {
  merged.lengths[place] = data.lengths[doc] ?? 0;
  merged.titleEnds[place] = data.titleEnds[doc] ?? 0;
  merged.urlEnds[place] = data.urlEnds[doc] ?? 0;
  merged.created[place] = data.created[doc] ?? 0;
  merged.stamps[place] = data.stamps[doc] ?? 0;
  merged.archived[place] = data.archived[doc] ?? 0;
}

/** One source on its way through its terms. */
interface Cursor {
  data: TermData;
  places: Int32Array;
  term: number;
  /** No document between was deleted, so postings can be copied as bytes after the first. */
  whole: boolean;
}

interface MergeOutput {
  termBytes: ByteWriter;
  postings: ByteWriter;
  positions: ByteWriter;
  termStarts: NumberList;
  frequencies: NumberList;
  postingStarts: NumberList;
  positionStarts: NumberList;
}

function* mergeTerms(
  sources: readonly Segment[],
  places: readonly Int32Array[],
): Generator<undefined, TermData> {
  const cursors = sources.map((source, index): Cursor => ({
    data: source.data,
    places: places[index] ?? new Int32Array(),
    term: 0,
    whole: source.liveCount === docCountOf(source),
  }));
  const output = createOutput(sources);
  let terms = 0;
  let bytes = 0;
  for (;;) {
    const same = leastTerm(cursors);
    if (same.length === 0) break;
    mergeTerm(same, output);
    for (const cursor of same) cursor.term += 1;
    terms += 1;
    if (terms < SLICE_TERMS && output.postings.length - bytes < SLICE_BYTES) continue;
    yield;
    terms = 0;
    bytes = output.postings.length;
  }
  return finishOutput(output);
}

/** The cursors at the smallest term, in order of their sources. */
function leastTerm(cursors: readonly Cursor[]): Cursor[] {
  let least: Cursor[] = [];
  for (const cursor of cursors) {
    if (cursor.term >= cursor.data.frequencies.length) continue;
    const [first] = least;
    const order = first ? compareTerms(cursor, first) : -1;
    if (order < 0) least = [cursor];
    else if (order === 0) least.push(cursor);
  }
  return least;
}

function compareTerms(one: Cursor, other: Cursor): number {
  const oneStart = one.data.termStarts[one.term] ?? 0;
  const otherStart = other.data.termStarts[other.term] ?? 0;
  const oneLength = (one.data.termStarts[one.term + 1] ?? 0) - oneStart;
  const otherLength = (other.data.termStarts[other.term + 1] ?? 0) - otherStart;
  const shared = Math.min(oneLength, otherLength);
  for (let at = 0; at < shared; at += 1) {
    const difference =
      (one.data.termBytes[oneStart + at] ?? 0) - (other.data.termBytes[otherStart + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return oneLength - otherLength;
}

function mergeTerm(cursors: readonly Cursor[], output: MergeOutput): void {
  const [first] = cursors;
  if (!first) return;
  const frequency =
    cursors.length === 1 && first.whole && first.places[0] === 0
      ? copyTerm(first, output)
      : rewriteTerm(cursors, output);
  if (frequency === 0) return;
  const { termBytes, termStarts } = first.data;
  writeBytes(output.termBytes, termBytes.subarray(termStarts[first.term], termStarts[first.term + 1]));
  pushNumber(output.termStarts, output.termBytes.length);
  pushNumber(output.frequencies, frequency);
  pushNumber(output.postingStarts, output.postings.length);
  pushNumber(output.positionStarts, output.positions.length);
}

function copyTerm({ data, term }: Cursor, output: MergeOutput): number {
  writeBytes(output.postings, data.postings.subarray(data.postingStarts[term], data.postingStarts[term + 1]));
  writeBytes(
    output.positions,
    data.positions.subarray(data.positionStarts[term], data.positionStarts[term + 1]),
  );
  return data.frequencies[term] ?? 0;
}

function rewriteTerm(cursors: readonly Cursor[], output: MergeOutput): number {
  let frequency = 0;
  let previous = 0;
  for (const { data, term, places } of cursors) {
    const reader = readPostings(data, term, true);
    while (reader.next()) {
      const place = places[reader.doc] ?? -1;
      if (place === -1) continue;
      writeVarint(output.postings, place - previous);
      writeVarint(output.postings, reader.value);
      writeBytes(output.positions, reader.positionBytes());
      previous = place;
      frequency += 1;
    }
  }
  return frequency;
}

interface NumberList {
  values: Uint32Array<ArrayBuffer>;
  length: number;
}

function pushNumber(writer: NumberList, value: number): void {
  if (writer.length === writer.values.length) {
    const larger = new Uint32Array(writer.values.length * 2);
    larger.set(writer.values);
    writer.values = larger;
  }
  writer.values[writer.length++] = value;
}

function createOutput(sources: readonly Segment[]): MergeOutput {
  const sum = (size: (data: SegmentData) => number): number =>
    sources.reduce((total, source) => total + size(source.data), 0) + 1;
  const terms = sum((data) => data.frequencies.length);
  const starts = (): NumberList => ({ values: new Uint32Array(terms + 1), length: 1 });
  return {
    termBytes: createByteWriter(sum((data) => data.termBytes.length)),
    postings: createByteWriter(sum((data) => data.postings.length)),
    positions: createByteWriter(sum((data) => data.positions.length)),
    termStarts: starts(),
    frequencies: { values: new Uint32Array(terms), length: 0 },
    postingStarts: starts(),
    positionStarts: starts(),
  };
}

function finishOutput(output: MergeOutput): TermData {
  const finish = (writer: NumberList): Uint32Array<ArrayBuffer> => writer.values.slice(0, writer.length);
  return {
    termBytes: finishBytes(output.termBytes),
    termStarts: finish(output.termStarts),
    frequencies: countsOf(finish(output.frequencies)),
    postings: finishBytes(output.postings),
    postingStarts: finish(output.postingStarts),
    positions: finishBytes(output.positions),
    positionStarts: finish(output.positionStarts),
  };
}
