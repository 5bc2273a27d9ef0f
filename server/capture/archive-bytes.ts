// The bytes of an archive, which may be too many for memory: they are asked for piece by piece, where they are needed.
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

export interface ArchiveBytes {
  readonly size: number;
  /** Those between `start` and `end`, which is not one of them. @throws Error when they are not there any more */
  read(start: number, end: number): Promise<Buffer>;
}

export function inMemory(bytes: Buffer): ArchiveBytes {
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/** As many as are asked for at once. */
const BLOCK_BYTES = 1024 * 1024;
/** The directory of a zip is read beside its files, in turn. */
const BLOCKS_HELD = 4;

/** Reads a zip in blocks, the last of which are held: its directory is read by a few bytes at a time. */
export class ArchiveReader extends RandomAccessReader {
  readonly #archive: ArchiveBytes;
  readonly #blocks = new Map<number, Promise<Buffer>>();

  constructor(archive: ArchiveBytes) {
    super();
    this.#archive = archive;
  }

  #block(index: number): Promise<Buffer> {
    const start = index * BLOCK_BYTES;
    const found =
      this.#blocks.get(index) ?? this.#archive.read(start, Math.min(start + BLOCK_BYTES, this.#archive.size));
    // The one that is used now is the last to leave.
    this.#blocks.delete(index);
    this.#blocks.set(index, found);
    const [oldest] = this.#blocks.keys();
    if (oldest !== undefined && this.#blocks.size > BLOCKS_HELD) this.#blocks.delete(oldest);
    return found;
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const index = Math.floor(at / BLOCK_BYTES);
      const first = index * BLOCK_BYTES;
      const block = await this.#block(index);
      const piece = block.subarray(at - first, Math.min(end - first, block.length));
      if (piece.length === 0) throw new Error('The archive ends too early');
      yield piece;
      at += piece.length;
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false });
  }

  /** As the inherited one, without a stream: a directory has hundreds of thousands of short reads. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#copy(buffer.subarray(offset, offset + length), position).then(
      () => callback(null),
      (error: Error) => callback(error),
    );
  }

  async #copy(target: Buffer, position: number): Promise<void> {
    let at = 0;
    for await (const piece of this.#pieces(position, position + target.length)) at += piece.copy(target, at);
  }
}
