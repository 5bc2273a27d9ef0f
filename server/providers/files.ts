/**
 * Where the bytes of uploaded files are kept: in a folder of DATA_DIR, or in an S3-compatible store. Keys are made of ids
 * by the caller and never of names that people chose.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AwsClient } from 'aws4fetch';
import type { Config } from '../config.ts';

/** A store of byte sequences. */
export interface FileStore {
  /** Stores bytes durably; the same key again replaces them. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The bytes of a key, or undefined. */
  get(key: string): Promise<Buffer | undefined>;
  /** Removes a key; one that does not exist is removed already. */
  remove(key: string): Promise<void>;
}

type StoreConfig = Pick<Config, 'dataDir' | 's3'>;

/** The configured store. */
export function createFileStore({ dataDir, s3 }: StoreConfig): FileStore {
  return s3 === undefined ? createFolderStore(path.join(dataDir, 'files')) : createS3Store(s3);
}

const KEY = /^[a-z\d_]{1,80}\/[a-z\d_]{1,80}$/;

function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error('This is not a key of the file store');
  return key;
}

/** Keeps each key as a file. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string) => path.join(folder, requireKey(key));
  return {
    async put(key, bytes) {
      const target = pathOf(key);
      await mkdir(path.dirname(target), { recursive: true });
      // A crash leaves the temporary file, never half of the real one.
      const temporary = `${target}.${randomUUID()}.part`;
      try {
        const file = await open(temporary, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}

const TIMEOUT_MS = 30_000;

/** Keeps each key as an object, with path-style addresses, which every compatible store understands. */
export function createS3Store(s3: NonNullable<Config['s3']>): FileStore {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = s3;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  const send = async (method: 'GET' | 'PUT' | 'DELETE', key: string, body?: Uint8Array<ArrayBuffer>) => {
    const response = await client.fetch(`${base}/${requireKey(key)}`, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body, headers: { 'content-type': 'application/octet-stream' } }),
    });
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`The file store returned ${response.status} for ${method}`);
  };
  return {
    async put(key, bytes) {
      const response = await send('PUT', key, new Uint8Array(bytes));
      if (!response.ok) throw new Error(`The bucket ${bucket} does not exist`);
    },
    async get(key) {
      const response = await send('GET', key);
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      await response.body?.cancel();
      return undefined;
    },
    async remove(key) {
      await (await send('DELETE', key)).body?.cancel();
    },
  };
}
