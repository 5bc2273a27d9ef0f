/** Vectors as the database stores them: numbers of four bytes, the smallest byte first. */
import { endianness } from 'node:os';

const isSwapped = endianness() === 'BE';

export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.from(vector.slice().buffer);
  return isSwapped ? bytes.swap32() : bytes;
}

export function vectorOf(stored: Buffer): Float32Array {
  // A copy, because the driver's buffers begin anywhere.
  const bytes = new Uint8Array(stored);
  if (isSwapped) Buffer.from(bytes.buffer).swap32();
  return new Float32Array(bytes.buffer);
}
