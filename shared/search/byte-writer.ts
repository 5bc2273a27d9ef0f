/** A growing byte buffer that writes variable-length integers, as used by postings. */

/** Bytes written so far are `bytes.subarray(0, length)`. */
export interface ByteWriter {
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
}

/** Starts small: the buffer doubles when it is full. */
export function createByteWriter(capacity = 1024): ByteWriter {
  return { bytes: new Uint8Array(capacity), length: 0 };
}

/** Appends an unsigned integer below 2^31, seven bits a byte, lowest first. */
export function writeVarint(writer: ByteWriter, value: number): void {
  if (writer.length + 5 > writer.bytes.length) grow(writer, 5);
  let rest = value;
  while (rest > 127) {
    writer.bytes[writer.length++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  writer.bytes[writer.length++] = rest;
}

/** Appends a run of bytes as it is. */
export function writeBytes(writer: ByteWriter, source: Uint8Array): void {
  if (writer.length + source.length > writer.bytes.length) grow(writer, source.length);
  writer.bytes.set(source, writer.length);
  writer.length += source.length;
}

/** The written bytes in a buffer of exactly their length. */
export function finishBytes(writer: ByteWriter): Uint8Array<ArrayBuffer> {
  return writer.bytes.slice(0, writer.length);
}

function grow(writer: ByteWriter, more: number): void {
  const larger = new Uint8Array(Math.max(writer.bytes.length * 2, writer.length + more));
  larger.set(writer.bytes.subarray(0, writer.length));
  writer.bytes = larger;
}
