/** Looking terms up in a segment's sorted term table: exact, by prefix, and back to text. Reads only. */
import type { TermData } from './segment.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Number of a term, or -1 when the segment has none such. */
export function findTerm(data: TermData, term: string): number {
  const bytes = encoder.encode(term);
  const place = lowerBound(data, bytes);
  if (place >= data.frequencies.length || compareTerm(data, place, bytes) !== 0) return -1;
  return place;
}

/** The terms that begin with a prefix, as a range of term numbers: first, and the one after the last. */
export function prefixRange(data: TermData, prefix: string): [number, number] {
  const bytes = encoder.encode(prefix);
  const first = lowerBound(data, bytes);
  let low = first;
  let high = data.frequencies.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startsWith(data, middle, bytes)) low = middle + 1;
    else high = middle;
  }
  return [first, low];
}

export function termAt(data: TermData, term: number): string {
  return decoder.decode(data.termBytes.subarray(data.termStarts[term] ?? 0, data.termStarts[term + 1] ?? 0));
}

/** UTF-8 length of a term. */
export function termLength(data: TermData, term: number): number {
  return (data.termStarts[term + 1] ?? 0) - (data.termStarts[term] ?? 0);
}

function lowerBound(data: TermData, bytes: Uint8Array): number {
  let low = 0;
  let high = data.frequencies.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTerm(data, middle, bytes) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareTerm(data: TermData, term: number, bytes: Uint8Array): number {
  const start = data.termStarts[term] ?? 0;
  const length = (data.termStarts[term + 1] ?? 0) - start;
  const shared = Math.min(length, bytes.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = (data.termBytes[start + at] ?? 0) - (bytes[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return length - bytes.length;
}

function startsWith(data: TermData, term: number, bytes: Uint8Array): boolean {
  const start = data.termStarts[term] ?? 0;
  if ((data.termStarts[term + 1] ?? 0) - start < bytes.length) return false;
  for (let at = 0; at < bytes.length; at += 1) {
    if (data.termBytes[start + at] !== bytes[at]) return false;
  }
  return true;
}
