/** Sorting strings by code point and packing them as UTF-8, so that bytes and strings compare the same way. */

const encoder = new TextEncoder();
const surrogate = /[\ud800-\udfff]/;

/** Sorted strings, and for each string of the input its place among them. */
export function sortTerms(terms: readonly string[]): { terms: string[]; order: Uint32Array } {
  const sorted = terms.toSorted(terms.some((term) => surrogate.test(term)) ? byCodePoint : undefined);
  const places = new Map<string, number>();
  sorted.forEach((term, place) => places.set(term, place));
  return { terms: sorted, order: Uint32Array.from(terms, (term) => places.get(term) ?? 0) };
}

/** Strings back to back as UTF-8; string i spans `starts[i]` to `starts[i + 1]`. */
export function packStrings(strings: readonly string[]): {
  bytes: Uint8Array<ArrayBuffer>;
  starts: Uint32Array;
} {
  const starts = new Uint32Array(strings.length + 1);
  let bytes = new Uint8Array(1024);
  let length = 0;
  strings.forEach((string, index) => {
    // Three bytes a unit is the most that UTF-8 needs.
    const needed = length + string.length * 3;
    if (needed > bytes.length) {
      const larger = new Uint8Array(Math.max(needed, bytes.length * 2));
      larger.set(bytes);
      bytes = larger;
    }
    length += encoder.encodeInto(string, bytes.subarray(length)).written;
    starts[index + 1] = length;
  });
  return { bytes: bytes.slice(0, length), starts };
}

// The default order compares UTF-16 units, which puts astral characters before U+E000: not the order of their UTF-8 bytes.
function byCodePoint(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  for (let at = 0; at < end; at += 1) {
    if (one.charCodeAt(at) === other.charCodeAt(at)) continue;
    return (one.codePointAt(at) ?? 0) - (other.codePointAt(at) ?? 0);
  }
  return one.length - other.length;
}
