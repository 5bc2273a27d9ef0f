/**
 * Serialises segments into one ArrayBuffer and reads them back as views on it, without copying. The buffer has a
 * version and a checksum: any other buffer is rejected, and the index is then rebuilt.
 * Layout, in 32-bit words: magic, version, checksum of all that follows, number of segments, then for each segment
 * offset and length of each of its arrays; after that the arrays, each at a multiple of eight bytes.
 */
import { openSegment, type Counts, type Segment, type SegmentData } from './segment.ts';

const MAGIC = 0x4c4f4349;
/** Increment whenever the layout, the tokenizer or the field weights change. */
const VERSION = 3;
const HEADER_WORDS = 4;
const ARRAYS = 16;

/** A buffer that `readIndexBuffer` understands. */
export function writeIndexBuffer(segments: readonly Segment[]): ArrayBuffer {
  const arrays = segments.flatMap((segment) => [...arraysOf(segment.data), segment.deleted]);
  const tableWords = HEADER_WORDS + arrays.length * 2;
  let size = align(tableWords * 4);
  const offsets = arrays.map((array) => {
    const offset = size;
    size = align(size + array.byteLength);
    return offset;
  });
  const buffer = new ArrayBuffer(size);
  const table = new Uint32Array(buffer, 0, tableWords);
  const bytes = new Uint8Array(buffer);
  arrays.forEach((array, index) => {
    const offset = offsets[index] ?? 0;
    table[HEADER_WORDS + index * 2] = offset;
    table[HEADER_WORDS + index * 2 + 1] = array.byteLength;
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
  });
  table.set([MAGIC, VERSION, 0, segments.length]);
  table[2] = checksum(buffer);
  return buffer;
}

/** The segments in a buffer, or undefined when it is damaged, of another version or not an index. */
export function readIndexBuffer(buffer: ArrayBuffer): Segment[] | undefined {
  if (buffer.byteLength < HEADER_WORDS * 4 || buffer.byteLength % 8 !== 0) return undefined;
  const [magic, version, sum, count = 0] = new Uint32Array(buffer, 0, HEADER_WORDS);
  if (magic !== MAGIC || version !== VERSION || sum !== checksum(buffer)) return undefined;
  const table = new Uint32Array(buffer, HEADER_WORDS * 4, count * ARRAYS * 2);
  return Array.from({ length: count }, (_, segment) => readSegment(buffer, table, segment * ARRAYS));
}

function arraysOf(data: SegmentData): (Uint8Array | Uint16Array | Uint32Array | Float64Array)[] {
  return [
    data.created,
    data.stamps,
    data.idBytes,
    data.idStarts,
    data.lengths,
    data.titleEnds,
    data.urlEnds,
    data.archived,
    data.termBytes,
    data.termStarts,
    data.frequencies,
    data.postings,
    data.postingStarts,
    data.positions,
    data.positionStarts,
  ];
}

function readSegment(buffer: ArrayBuffer, table: Uint32Array, first: number): Segment {
  const place = (index: number): [number, number] => [
    table[(first + index) * 2] ?? 0,
    table[(first + index) * 2 + 1] ?? 0,
  ];
  const bytes = (index: number): Uint8Array => new Uint8Array(buffer, ...place(index));
  const shorts = (index: number): Uint16Array => {
    const [offset, length] = place(index);
    return new Uint16Array(buffer, offset, length / 2);
  };
  const words = (index: number): Uint32Array => {
    const [offset, length] = place(index);
    return new Uint32Array(buffer, offset, length / 4);
  };
  const counts = (index: number, count: number): Counts =>
    place(index)[1] === count * 2 ? shorts(index) : words(index);
  const doubles = (index: number): Float64Array => {
    const [offset, length] = place(index);
    return new Float64Array(buffer, offset, length / 8);
  };
  const [created, termStarts] = [doubles(0), words(9)];
  const data = {
    created,
    stamps: words(1),
    idBytes: bytes(2),
    idStarts: words(3),
    lengths: counts(4, created.length),
    titleEnds: shorts(5),
    urlEnds: shorts(6),
    archived: bytes(7),
    termBytes: bytes(8),
    termStarts,
    frequencies: counts(10, termStarts.length - 1),
    postings: bytes(11),
    postingStarts: words(12),
    positions: bytes(13),
    positionStarts: words(14),
  };
  return openSegment(data, bytes(15));
}

function align(size: number): number {
  return Math.ceil(size / 8) * 8;
}

/** Over everything after the checksum itself, word by word. */
function checksum(buffer: ArrayBuffer): number {
  const words = new Uint32Array(buffer, 12);
  let sum = buffer.byteLength | 0;
  for (let at = 0; at < words.length; at += 1)
    sum = Math.imul(sum ^ (words[at] ?? 0), 0x01000193) ^ (sum >>> 15);
  return sum >>> 0;
}
