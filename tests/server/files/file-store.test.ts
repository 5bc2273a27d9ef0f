/** The two places for bytes, held to the same promises; the S3 one against a server that checks every signature. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createFileStore,
  createFolderStore,
  createS3Store,
  type FileStore,
} from '#server/providers/files.ts';

const SECRET = 'the secret of a bucket';
const S3 = { bucket: 'loci', accessKeyId: 'a-key', secretAccessKey: SECRET, region: 'eu-test-1' };

/** The signature that a request must carry, computed from the request alone. @see AWS Signature Version 4 */
function expectedSignature(
  request: IncomingMessage,
  signedHeaders: string,
  scope: string,
  payload: string,
): string {
  const url = new URL(request.url ?? '', 'http://s3.invalid');
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join('&');
  const canonical = [request.method, url.pathname, query, headers.join(''), signedHeaders, payload].join(
    '\n',
  );
  const digest = createHash('sha256').update(canonical).digest('hex');
  const date = String(request.headers['x-amz-date']);
  const signed = ['AWS4-HMAC-SHA256', date, scope, digest].join('\n');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const [day = '', region = '', service = '', end = ''] = scope.split('/');
  const key = hmac(hmac(hmac(hmac(`AWS4${SECRET}`, day), region), service), end);
  return createHmac('sha256', key).update(signed).digest('hex');
}

const CREDENTIAL =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=([\da-f]{64})$/;

/** A bucket in memory that refuses what a real one refuses. */
function createBucket() {
  const objects = new Map<string, Buffer>();
  /** Uploads in parts that are neither completed nor given up. */
  const uploads = new Map<string, Buffer[]>();
  const faults: number[] = [];
  const serve = async (request: IncomingMessage, answer: ServerResponse) => {
    const body = await buffer(request);
    const reply = (status: number, bytes?: Buffer) => answer.writeHead(status).end(bytes);
    const fault = faults.shift();
    if (fault !== undefined) return reply(fault);
    const [, keyId, scope = '', names = '', signature = ''] =
      CREDENTIAL.exec(request.headers.authorization ?? '') ?? [];
    const payload = String(request.headers['x-amz-content-sha256'] ?? '');
    const isWhole =
      payload === 'UNSIGNED-PAYLOAD' || payload === createHash('sha256').update(body).digest('hex');
    const expected = Buffer.from(expectedSignature(request, names, scope, payload));
    if (
      keyId !== S3.accessKeyId ||
      !scope.startsWith(new Date().toISOString().slice(0, 10).replaceAll('-', ''))
    )
      return reply(403);
    if (!isWhole || !names.split(';').includes('host') || !timingSafeEqual(Buffer.from(signature), expected))
      return reply(403);
    const { pathname: url, searchParams: query } = new URL(request.url ?? '', 'http://s3.invalid');
    if (!url.startsWith('/loci/')) return reply(404);
    const uploadId = query.get('uploadId');
    if (query.has('uploads')) {
      const id = `upload/${uploads.size}+`;
      uploads.set(id, []);
      return reply(200, Buffer.from(`<X><UploadId>${id}</UploadId></X>`));
    }
    if (uploadId !== null) {
      const parts = uploads.get(uploadId);
      if (parts === undefined) return reply(404);
      if (request.method === 'PUT') {
        parts[Number(query.get('partNumber')) - 1] = body;
        answer.setHeader('etag', `"${createHash('md5').update(body).digest('hex')}"`);
        return reply(200);
      }
      uploads.delete(uploadId);
      if (request.method === 'DELETE') return reply(204);
      const etags = parts.map((part) => `"${createHash('md5').update(part).digest('hex')}"`);
      const named = [...String(body).matchAll(/<ETag>([^<]+)<\/ETag>/g)].map((match) => match[1]);
      const isWholeList =
        JSON.stringify(named) === JSON.stringify(etags) &&
        parts.slice(0, -1).every(({ length }) => length >= 5 * 1024 * 1024);
      if (!isWholeList) return reply(200, Buffer.from('<Error>InvalidPart</Error>'));
      objects.set(url, Buffer.concat(parts));
      return reply(200, Buffer.from('<CompleteMultipartUploadResult/>'));
    }
    if (request.method === 'PUT') {
      objects.set(url, body);
      return reply(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(url);
      return reply(204);
    }
    const found = objects.get(url);
    return found === undefined ? reply(404) : reply(200, found);
  };
  const server = createServer((request, answer) => void serve(request, answer));
  return { server, objects, uploads, faults };
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'loci-files-'));
const bucket = createBucket();
let endpoint = '';
beforeAll(async () => {
  bucket.server.listen(0, '127.0.0.1');
  await once(bucket.server, 'listening');
  const address = bucket.server.address();
  if (address === null || typeof address === 'string') throw new Error('the bucket has no port');
  endpoint = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  bucket.server.close();
  bucket.server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const STORES: readonly [string, () => FileStore][] = [
  ['a folder', () => createFolderStore(folder)],
  ['a bucket', () => createS3Store({ ...S3, endpoint: `${endpoint}/` })],
];

describe.each(STORES)('%s', (_name, open) => {
  it('returns what was stored, byte by byte, and replaces it', async () => {
    const store = open();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    await store.put('ws_a/upload_1', bytes);
    expect(await store.get('ws_a/upload_1')).toEqual(bytes);
    await store.put('ws_a/upload_1', Buffer.from('other'));
    expect(String(await store.get('ws_a/upload_1'))).toBe('other');
  });

  it('stores a stream in parts, and returns it as one', async () => {
    const store = open();
    const chunk = Buffer.alloc(3 * 1024 * 1024 + 1, 'part');
    const length = await store.write('ws_a/export_1', Readable.from(Array.from({ length: 12 }, () => chunk)));
    expect(length).toBe(12 * chunk.length);
    const stream = await store.read('ws_a/export_1');
    const read = stream && (await buffer(stream));
    expect(read?.equals(Buffer.concat(Array.from({ length: 12 }, () => chunk)))).toBe(true);
    expect(await store.read('ws_b/export_1')).toBeUndefined();
  });

  it('stores nothing of a stream that fails, and keeps what was there', async () => {
    const store = open();
    await store.put('ws_a/export_2', Buffer.from('before'));
    const broken = Readable.from(
      (function* () {
        yield Buffer.alloc(20 * 1024 * 1024);
        throw new Error('the source is gone');
      })(),
    );
    await expect(store.write('ws_a/export_2', broken)).rejects.toThrow('the source is gone');
    expect(String(await store.get('ws_a/export_2'))).toBe('before');
    expect(bucket.uploads.size).toBe(0);
  });

  it('has nothing under other keys, and nothing after removal', async () => {
    const store = open();
    await store.put('ws_a/upload_2', Buffer.from('x'));
    expect(await store.get('ws_b/upload_2')).toBeUndefined();
    await store.remove('ws_a/upload_2');
    expect(await store.get('ws_a/upload_2')).toBeUndefined();
    await store.remove('ws_a/upload_2');
  });

  it.each(['../x', 'a', 'a/../b', '/a/b', 'a/b/c', 'a/b.part', 'A/B', ''])(
    'refuses the key “%s”',
    async (key) => {
      await expect(open().put(key, Buffer.from('x'))).rejects.toThrow('not a key');
      await expect(open().get(key)).rejects.toThrow('not a key');
    },
  );
});

it('a folder keeps no half of a file', async () => {
  const store = createFolderStore(folder);
  await Promise.all(
    Array.from({ length: 5 }, (_, index) => store.put('ws_c/upload_1', Buffer.alloc(100_000, index))),
  );
  const stored = await store.get('ws_c/upload_1');
  expect(new Set(stored)).toHaveProperty('size', 1);
  expect(readdirSync(path.join(folder, 'ws_c'))).toEqual(['upload_1']);
});

it('a folder removes what a killed process left of a key, and nothing of others', async () => {
  const store = createFolderStore(folder);
  await store.put('ws_e/export_1', Buffer.from('x'));
  await store.put('ws_e/export_12', Buffer.from('y'));
  writeFileSync(path.join(folder, 'ws_e', 'export_1.4d3c.part'), 'half');
  writeFileSync(path.join(folder, 'ws_e', 'export_12.4d3c.part'), 'half');
  await store.remove('ws_e/export_1');
  expect(readdirSync(path.join(folder, 'ws_e'))).toEqual(['export_12', 'export_12.4d3c.part']);
});

describe('a bucket', () => {
  it('refuses a wrong secret, and the failure names none', async () => {
    const store = createS3Store({ ...S3, endpoint, secretAccessKey: 'wrong' });
    await expect(store.put('ws_a/upload_9', Buffer.from('x'))).rejects.toThrow(
      /^The file store returned 403 for PUT$/,
    );
  });

  it('that does not exist is told', async () => {
    const store = createS3Store({ ...S3, endpoint, bucket: 'other' });
    await expect(store.put('ws_a/upload_9', Buffer.from('x'))).rejects.toThrow(/other does not exist/);
  });

  it('that fails for a moment is asked again', async () => {
    bucket.faults.push(503);
    await createS3Store({ ...S3, endpoint }).put('ws_a/upload_3', Buffer.from('x'));
    expect(bucket.objects.get('/loci/ws_a/upload_3')).toEqual(Buffer.from('x'));
  });
});

it('the configuration decides', async () => {
  const store = createFileStore({ dataDir: folder, s3: { ...S3, endpoint } });
  await store.put('ws_d/upload_1', Buffer.from('x'));
  expect(bucket.objects.has('/loci/ws_d/upload_1')).toBe(true);
  expect(readdirSync(folder)).not.toContain('files');
});
