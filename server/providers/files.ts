/**
 * Storage of uploaded files: in a folder of DATA_DIR, or in an S3-compatible store. The caller builds keys from ids, never from
 * names that people chose.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import type { Config } from '../config.ts';
import { TIMEOUTS } from '../limits.ts';

export interface FileStore {
  /** Stores bytes durably; the same key again replaces them. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes of a key, or undefined. */
  get(key: string): Promise<Buffer | undefined>;
  /** Stores the bytes of a stream, in parts; a failed stream stores nothing. Resolves to its length in bytes. */
  write(key: string, stream: Readable): Promise<number>;
  /** The bytes of a key as a stream, or undefined. */
  read(key: string): Promise<Readable | undefined>;
  /** Removes a key, with leftovers of killed processes; does nothing for one that does not exist. */
  remove(key: string): Promise<void>;
}

type StoreConfig = Pick<Config, 'dataDir' | 's3'>;

export function createFileStore({ dataDir, s3 }: StoreConfig): FileStore {
  return s3 === undefined ? createFolderStore(path.join(dataDir, 'files')) : createS3Store(s3);
}

/** Suffix of a file while it is being written. */
const UNFINISHED = '.part';
const KEY = /^[a-z\d_]{1,80}\/[a-z\d_]{1,80}$/;

function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error('This is not a key of the file store');
  return key;
}

/** Stores each key as a file. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string) => path.join(folder, requireKey(key));
  const store = async (key: string, fill: (file: FileHandle) => Promise<void>) => {
    const target = pathOf(key);
    await mkdir(path.dirname(target), { recursive: true });
    // A crash leaves the temporary file, never a partial final one.
    const temporary = `${target}.${randomUUID()}${UNFINISHED}`;
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await fill(file);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  };
  return {
    put: (key, bytes) => store(key, (file) => file.writeFile(bytes)),
    async write(key, stream) {
      let length = 0;
      await store(key, async (file) => {
        await file.writeFile(stream);
        length = (await file.stat()).size;
      });
      return length;
    },
    async read(key) {
      const stream = createReadStream(pathOf(key));
      const opened = await once(stream, 'open').catch(absent);
      return opened && stream;
    },
    async get(key) {
      return readFile(pathOf(key)).catch(absent);
    },
    async remove(key) {
      const target = pathOf(key);
      await rm(target, { force: true });
      const names = (await readdir(path.dirname(target)).catch(absent)) ?? [];
      const parts = names.filter(
        (name) => name.startsWith(`${path.basename(target)}.`) && name.endsWith(UNFINISHED),
      );
      for (const name of parts) await rm(path.join(path.dirname(target), name), { force: true });
    },
  };
}

function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/** S3 accepts parts of 5 MB or more, and at most 10,000 of them. */
const PART_BYTES = 16 * 1024 * 1024;

/** Stores each key as an object, with path-style addresses, which every compatible store supports. */
export function createS3Store(s3: NonNullable<Config['s3']>): FileStore {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  const send = async (method: Method, key: string, { body, query = '' }: S3Request = {}) => {
    const signal = new AbortController();
    // Only until the response begins: the transfer of a large object has no limit.
    const timer = setTimeout(() => signal.abort(), TIMEOUTS.fileStore);
    const response = await client
      .fetch(`${base}/${requireKey(key)}${query}`, {
        method,
        signal: signal.signal,
        ...(body && { body, headers: { 'content-type': 'application/octet-stream' } }),
      })
      .finally(() => clearTimeout(timer));
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`The file store returned ${response.status} for ${method}`);
  };
  const sent = async (...request: Parameters<typeof send>) => {
    const response = await send(...request);
    if (!response.ok) throw new Error(`The bucket ${bucket} does not exist`);
    return response;
  };
  /** A multipart upload, which becomes an object only when it is completed. */
  const writeParts = async (key: string, parts: AsyncIterable<Buffer>): Promise<number> => {
    const begun = await (await sent('POST', key, { query: '?uploads=' })).text();
    const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(begun)?.[1];
    if (uploadId === undefined) throw new Error('The file store began no upload in parts');
    const id = `uploadId=${encodeURIComponent(uploadId)}`;
    try {
      const listed: string[] = [];
      let length = 0;
      for await (const part of parts) {
        const number = listed.length + 1;
        const query = `?partNumber=${number}&${id}`;
        const response = await sent('PUT', key, { body: new Uint8Array(part), query });
        await response.body?.cancel();
        const etag = response.headers.get('etag') ?? '';
        listed.push(`<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`);
        length += part.length;
      }
      const body = Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`);
      const completed = await (await sent('POST', key, { body, query: `?${id}` })).text();
      // A failure of the completion has the status 200 (S3 API, CompleteMultipartUpload).
      if (completed.includes('<Error>')) throw new Error('The file store did not complete an upload');
      return length;
    } catch (error) {
      await (await send('DELETE', key, { query: `?${id}` })).body?.cancel();
      throw error;
    }
  };
  return {
    async put(key, bytes) {
      await (await sent('PUT', key, { body: new Uint8Array(bytes) })).body?.cancel();
    },
    write: (key, stream) => writeParts(key, inParts(stream)),
    async get(key) {
      const response = await send('GET', key);
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      await response.body?.cancel();
      return undefined;
    },
    async read(key) {
      const response = await send('GET', key);
      // The types of the web and of Node describe the same stream.
      // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- Necessary where the types of the DOM are known, as in the tests.
      if (response.ok && response.body) return Readable.fromWeb(response.body as ReadableStream);
      await response.body?.cancel();
      return undefined;
    },
    async remove(key) {
      await (await send('DELETE', key)).body?.cancel();
    },
  };
}

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

interface S3Request {
  body?: Uint8Array<ArrayBuffer>;
  query?: string;
}

/** The stream in parts of PART_BYTES, the last one shorter. */
async function* inParts(stream: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes: Buffer = chunk;
    waiting.push(bytes);
    length += bytes.length;
    if (length < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
