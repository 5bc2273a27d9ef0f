// A short sum over the rows of a replica: equal for equal rows in any order, and next to certainly different when one is
// missing, too many or stale. It finds faults of ours, so it need not resist attackers.
import { isObject } from '../is-object.ts';

/** How many rows, and the XOR of their 64-bit hashes as sixteen hexadecimal digits. */
export interface RowDigest {
  count: number;
  sum: string;
}

/** Whether a field has the default of a column that was added after the row was written. */
function isEmpty(field: unknown): boolean {
  return field === null || field === false || (Array.isArray(field) && field.length === 0);
}

/** JSON with sorted names. Empty fields count as missing: a row may be older than a field that was added since. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (!isObject(inner) || Array.isArray(inner)) return inner;
    const filled = Object.entries(inner).filter(([, field]) => !isEmpty(field));
    return Object.fromEntries(filled.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

const FIRST_PRIME = 2_654_435_761;
const SECOND_PRIME = 1_597_334_677;

/** Two 32-bit hashes of a text (cyrb53 without its last step). */
function hashesOf(text: string): readonly [number, number] {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, FIRST_PRIME);
    other = Math.imul(other ^ code, SECOND_PRIME);
  }
  const mix = (mine: number, its: number) =>
    Math.imul(mine ^ (mine >>> 16), 2_246_822_507) ^ Math.imul(its ^ (its >>> 13), 3_266_489_909);
  const first = mix(one, other);
  return [first, mix(other, first)];
}

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');

/** Adds rows up, each once. */
export class DigestSum {
  #count = 0;
  #high = 0;
  #low = 0;

  add(key: string, value: unknown): void {
    const [high, low] = hashesOf(`${key}\n${canonical(value)}`);
    this.#count += 1;
    this.#high ^= high;
    this.#low ^= low;
  }

  get digest(): RowDigest {
    return { count: this.#count, sum: hex(this.#high) + hex(this.#low) };
  }
}
