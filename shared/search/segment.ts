/**
 * The format of an index segment: flat typed arrays only, so that it can be stored and loaded as one buffer. Contains
 * only creation of, deletion from and addressing in a segment.
 * Terms and ids are stored back to back as UTF-8; entry i spans `starts[i]` to `starts[i + 1]`. Terms are sorted by
 * code point, facet terms first. Postings of a term: for each document, varint(distance from the previous one) and
 * varint(weighted count × 8 + single × 4 + inUrl × 2 + inTitle). Positions of a word: for each document, its one
 * position when `single`, else their number and the distances between them; facets have none.
 */

/** Numbers with two bytes each as long as all of them fit; half a large index consists of small ones. */
export type Counts = Uint16Array | Uint32Array;

export interface DocumentData {
  idBytes: Uint8Array;
  /** Empty as long as all ids are of one length. */
  idStarts: Uint32Array;
  /** Weighted number of words per document. */
  lengths: Counts;
  /** Positions below this are the title's. */
  titleEnds: Uint16Array;
  /** Positions from the title's end to below this are the address's; 0 without an address. */
  urlEnds: Uint16Array;
  created: Float64Array;
  stamps: Uint32Array;
  /** 1 = archived. */
  archived: Uint8Array;
}

export interface TermData {
  termBytes: Uint8Array;
  termStarts: Uint32Array;
  /** Documents per term, deleted ones included. */
  frequencies: Counts;
  postings: Uint8Array;
  postingStarts: Uint32Array;
  positions: Uint8Array;
  positionStarts: Uint32Array;
}

/** The part of a segment that never changes and is stored. */
export interface SegmentData extends DocumentData, TermData {}

/** A segment in use: the stored data and the documents that are no longer valid. */
export interface Segment {
  data: SegmentData;
  /** 1 = deleted or replaced by a newer segment. */
  deleted: Uint8Array;
  liveCount: number;
  /** Sum of `lengths` over valid documents. */
  liveLength: number;
}

/** Set in a posting when the term occurs in the title. */
export const IN_TITLE = 1;
/** Set in a posting when the term occurs in the address. */
export const IN_URL = 2;
/** Set in a posting when the term occurs once in the document. */
export const IS_SINGLE = 4;
/** Bits of a posting's value below the weighted count itself. */
export const FLAG_BITS = 3;

const decoder = new TextDecoder();

/** The same numbers in as few bytes as they need. */
export function countsOf(values: Uint32Array): Counts {
  return values.every((value) => value <= 0xffff) ? Uint16Array.from(values) : values;
}

/** Opens a segment; every document is valid except those in `deleted`, which the segment continues to update. */
export function openSegment(
  data: SegmentData,
  deleted: Uint8Array = new Uint8Array(data.lengths.length),
): Segment {
  let [liveCount, liveLength] = [0, 0];
  for (let doc = 0; doc < deleted.length; doc += 1) {
    if (deleted[doc] !== 0) continue;
    liveCount += 1;
    liveLength += data.lengths[doc] ?? 0;
  }
  return { data, deleted, liveCount, liveLength };
}

/** Removes one document; does nothing when it is already removed. */
export function deleteFromSegment(segment: Segment, doc: number): void {
  if (segment.deleted[doc] !== 0) return;
  segment.deleted[doc] = 1;
  segment.liveCount -= 1;
  segment.liveLength -= segment.data.lengths[doc] ?? 0;
}

/** Number of documents including deleted ones: the range of document numbers. */
export function docCountOf(segment: Segment): number {
  return segment.data.lengths.length;
}

/** Where ids start, unless that follows from their number. */
export function idStartsOf(starts: Uint32Array): Uint32Array {
  const length = starts[1] ?? 0;
  return starts.every((start, doc) => start === doc * length) ? new Uint32Array() : starts;
}

/** Offset of a document's id in `idBytes`, which is the end of the previous one. */
export function idStartOf({ idBytes, idStarts, lengths }: DocumentData, doc: number): number {
  return idStarts.length > 0 ? (idStarts[doc] ?? 0) : doc * (idBytes.length / lengths.length);
}

export function idAt(segment: Segment, doc: number): string {
  const { idBytes } = segment.data;
  const [start, end] = [idStartOf(segment.data, doc), idStartOf(segment.data, doc + 1)];
  // Ids are ASCII; joining characters is faster than a decoder for so few bytes.
  let id = '';
  for (let at = start; at < end; at += 1) {
    const byte = idBytes[at] ?? 0;
    if (byte > 127) return decoder.decode(idBytes.subarray(start, end));
    id += String.fromCharCode(byte);
  }
  return id;
}
