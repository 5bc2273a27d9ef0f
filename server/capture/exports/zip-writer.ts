// A zip that is written while it is read: one file after the other, so that its size is no matter of memory.
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZipWriter {
  /** The archive; its reader decides how fast files are added. */
  stream: Readable;
  /** Resolves when the whole file has been written. @throws where the archive lost its reader */
  add(path: string, content: string | Readable, modified: Date): Promise<void>;
  end(): void;
}

/** An import suspects a larger file that shrinks to almost nothing, so larger ones are stored uncompressed. */
const COMPRESSED_MAX_BYTES = 1_000_000;

export function createZip(): ZipWriter {
  const zip = new ZipFile();
  const stream = new PassThrough();
  // The reader of the stream sees the failure; without a reader, nothing waits for it.
  stream.on('error', () => undefined);
  zip.on('error', (error: Error) => stream.destroy(error));
  zip.outputStream.pipe(stream);
  let current: Readable | undefined;
  // A source that is read no further would stay open for ever.
  stream.once('close', () => current?.destroy(new Error('The archive has no reader any more')));
  return {
    stream,
    add: (path, content, mtime) =>
      new Promise((resolve, reject) => {
        const bytes = typeof content === 'string' ? Buffer.from(content) : undefined;
        const source = typeof content === 'string' ? Readable.from(bytes ? [bytes] : []) : content;
        current = source;
        source.once('error', reject);
        source.once('close', resolve);
        if (stream.destroyed) source.destroy(new Error('The archive has no reader any more'));
        const compress = bytes !== undefined && bytes.length < COMPRESSED_MAX_BYTES;
        zip.addReadStreamLazy(path, { mtime, compress }, (open) => open(null, source));
      }),
    end: () => zip.end(),
  };
}
