// Serves a built application (the stage, or the dashboard) with fake sync servers behind it on one free port of this
// machine.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { builtStage, type StageStore } from './built-stage.ts';

const MEDIA: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

const built = new Map<StageStore, Promise<string>>();

/** A running stage. */
export interface StageServer {
  address: string;
  /** Streams of pokes that are open now. */
  streams(): number;
  /** Streams opened since the start. */
  streamsOpened(): number;
  close(): Promise<void>;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

interface Site {
  folder: string;
  servers: readonly FakeSyncServer[];
  streams: Streams;
  files: ReadonlyMap<string, string>;
}

interface Streams {
  open: number;
  ever: number;
}

function streamPokes(servers: readonly FakeSyncServer[], response: ServerResponse, streams: Streams): void {
  streams.open += 1;
  streams.ever += 1;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': hello\n\n');
  const ends = servers.map((server) =>
    server.onVersion((realm, v) => response.write(`data: ${JSON.stringify({ realm, v })}\n\n`)),
  );
  response.on('close', () => {
    streams.open -= 1;
    ends.forEach((end) => end());
  });
}

async function answer(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { folder, servers, streams, files }: Site,
): Promise<void> {
  const url = request.url ?? '/';
  const file = files.get(url);
  if (file !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    return void response.end(file);
  }
  if (url.startsWith('/v1/sync/poke')) {
    if (servers.some((server) => server.weather.offline)) return void response.destroy();
    return streamPokes(servers, response, streams);
  }
  if (url.startsWith('/v1/sync/')) {
    const body = await textOf(request);
    const server = servers.find((candidate) => url.includes(`/${candidate.realmId}/`));
    try {
      const result = await server?.fetch(url, { method: 'POST', body });
      response.writeHead(result?.status ?? 404, { 'content-type': 'application/json' });
      return void response.end(await result?.text());
    } catch {
      // The simulated network is off.
      return void response.destroy();
    }
  }
  if (url.startsWith('/v1/')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ success: true, result: null }));
  }
  const asset = path.extname(url) === '' || url.includes('?') ? '/index.html' : url;
  if (!existsSync(path.join(folder, asset))) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': MEDIA[path.extname(asset)] ?? 'application/octet-stream' });
  return void response.end(readFileSync(path.join(folder, asset)));
}

interface StageOptions {
  /** Further texts by their addresses. */
  files?: ReadonlyMap<string, string>;
  store?: StageStore;
}

/** Serves a stage of this kind; each of them is looked for once per process. */
export async function serveStage(
  servers: readonly FakeSyncServer[],
  { files = new Map(), store = 'right' }: StageOptions = {},
): Promise<StageServer> {
  const folder = built.get(store) ?? builtStage(store);
  built.set(store, folder);
  return await serveFolder(await folder, servers, files);
}

/** Serves a folder of a built application; whatever has no file in it is one of the application's own addresses. */
export async function serveFolder(
  folder: string,
  servers: readonly FakeSyncServer[],
  files: ReadonlyMap<string, string> = new Map(),
): Promise<StageServer> {
  const streams: Streams = { open: 0, ever: 0 };
  const server: Server = createServer((request, response) => {
    answer({ request, response }, { folder, servers, streams, files }).catch((error: unknown) => {
      console.error('stage:', error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The stage has no port');
  return {
    address: `http://127.0.0.1:${bound.port}`,
    streams: () => streams.open,
    streamsOpened: () => streams.ever,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
