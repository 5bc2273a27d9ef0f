// The one way out: every address that a person or a page names is fetched through here. It decides on names before a
// connection, on the address of the connected socket before a byte is written, and again at each redirect. Nothing is
// shared with internal calls: no cookies, no credentials, no proxy variables, no pooled connection.
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import type { Agent, buildConnector } from 'undici';
import { AppError } from '#shared/errors.ts';
import { TIMEOUTS } from '../limits.ts';

const REDIRECTS_MAX = 5;
/** As many connections to a site as browsers open. */
const PARTS_AT_ONCE = 6;
const URL_MAX = 2_048;
const RATIO_MAX = 100;
/** Small responses may legitimately compress better than a decompression bomb. */
const RATIO_FREE_BYTES = 1024 * 1024;
const PORTS: ReadonlySet<string> = new Set(['', '80', '443']);
const USER_AGENT = 'Mozilla/5.0 (compatible; Loci/1.0; saves a page that its user asked for)';

/**
 * Why there was no response. off = this server fetches nothing; blocked = an address that must not be fetched; unknown_host;
 * network = refused, reset or broken off; timeout; too_large; redirects = too many, or to nowhere; tls = the certificate is not
 * valid; type = not an accepted media type.
 */
export type EgressFault =
  | 'off'
  | 'blocked'
  | 'unknown_host'
  | 'network'
  | 'timeout'
  | 'too_large'
  | 'redirects'
  | 'tls'
  | 'type';

export class EgressError extends Error {
  readonly fault: EgressFault;

  constructor(fault: EgressFault, options?: ErrorOptions) {
    super(`The address could not be fetched (${fault})`, options);
    this.name = 'EgressError';
    this.fault = fault;
  }
}

export interface Fetched {
  /** Where the last redirect led. */
  url: string;
  status: number;
  /** Of the Content-Type header, in lower case; empty without one. */
  mediaType: string;
  /** Of the Content-Type header. */
  charset: string | undefined;
  /** Of the headers ETag and Last-Modified, for the next request. */
  etag: string | null;
  lastModified: string | null;
  /** Decompressed. Empty for other statuses than 200 to 299. */
  body: Buffer;
}

export interface EgressOptions {
  maxBytes: number | ((mediaType: string) => number);
  /** Media types whose body is read; the rest fail as `type`. */
  accepts: (mediaType: string) => boolean;
  accept: string;
  /** Validators of an earlier response; an unchanged resource returns 304. */
  etag?: string | null;
  lastModified?: string | null;
  signal?: AbortSignal;
  /** One of many resources of a page; a site serves several of them at once. */
  isPart?: boolean;
}

interface EgressMessage {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface Egress {
  /** GET with redirects followed. @throws EgressError */
  get(url: string, options: EgressOptions): Promise<Fetched>;
  /** POST of a message; redirects are not followed and the body of the answer is not read. @throws EgressError */
  post(url: string, message: EgressMessage): Promise<{ status: number }>;
  /** One request of a protocol with a streamed response; no own time limit, redirects as the caller sets. */
  fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

/** The addresses that may be fetched: of the public internet, of private networks too, or none. */
export type EgressPolicy = 'public' | 'private' | 'none';

/** An address of the public internet: neither private, local, reserved, nor another address in disguise. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Unwraps IPv4 inside IPv6; all other tunnels have ranges of their own.
  return ipaddr.process(address).range() === 'unicast';
}

/** The address to fetch. @throws EgressError blocked, off */
export function checkedUrl(text: string, policy: EgressPolicy): URL {
  if (policy === 'none') throw new EgressError('off');
  const url = URL.parse(text);
  if (url === null || text.length > URL_MAX) throw new EgressError('blocked');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new EgressError('blocked');
  if (url.username !== '' || url.password !== '' || url.hostname === '') throw new EgressError('blocked');
  if (policy === 'private') return url;
  if (!PORTS.has(url.port)) throw new EgressError('blocked');
  // The parser has turned every other spelling of a number into this one.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal) && !isPublicAddress(literal)) throw new EgressError('blocked');
  return url;
}

/** Refuses an address for requests that a person enters; names are resolved on each request. @throws AppError invalid */
export function requireSendable(url: string, policy: EgressPolicy): void {
  try {
    checkedUrl(url, policy);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw new AppError(
      'invalid',
      error.fault === 'off'
        ? 'url: This server sends nothing to other servers'
        : 'url: Must be a public http or https address without credentials, on port 80 or 443',
    );
  }
}

export function createEgress(policy: EgressPolicy): Egress {
  let opened: Promise<Client> | undefined;
  const client = () => (opened ??= openClient(policy));
  return {
    async get(text, options) {
      const signal = AbortSignal.any([
        AbortSignal.timeout(TIMEOUTS.egress),
        ...(options.signal ? [options.signal] : []),
      ]);
      let url = checkedUrl(text, policy);
      try {
        const { agent, parts, request } = await client();
        for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
          const answer = await request(url.href, {
            dispatcher: options.isPart ? parts : agent,
            method: 'GET',
            signal,
            headers: {
              accept: options.accept,
              'accept-encoding': 'gzip, deflate, br',
              'accept-language': 'en, *;q=0.5',
              'user-agent': USER_AGENT,
              ...(options.etag ? { 'if-none-match': options.etag } : {}),
              ...(options.lastModified ? { 'if-modified-since': options.lastModified } : {}),
            },
          });
          // Leaving an answer unread is an error of its stream; one that matters is thrown where it is read.
          answer.body.on('error', ignore);
          const location = header(answer.headers['location']);
          if (answer.statusCode >= 300 && answer.statusCode < 400 && location !== undefined) {
            answer.body.destroy();
            const next = URL.parse(location, url.href);
            if (next === null) throw new EgressError('redirects');
            url = checkedUrl(next.href, policy);
            continue;
          }
          return await read(answer, url, options);
        }
      } catch (error) {
        throw asEgressError(error);
      }
      throw new EgressError('redirects');
    },
    async post(text, { headers, body }) {
      const url = checkedUrl(text, policy);
      try {
        const { agent, request } = await client();
        const answer = await request(url.href, {
          dispatcher: agent,
          method: 'POST',
          signal: AbortSignal.timeout(TIMEOUTS.egress),
          headers,
          body,
        });
        answer.body.on('error', ignore);
        answer.body.destroy();
        return { status: answer.statusCode };
      } catch (error) {
        throw asEgressError(error);
      }
    },
    fetch: guardedFetch(policy, client),
    async close() {
      if (opened === undefined) return;
      const { agent, parts, patient } = await opened;
      await Promise.all([agent.destroy(), parts.destroy(), patient.destroy()]);
    },
  };
}

type Undici = typeof import('undici');

interface Client extends Pick<Undici, 'request' | 'fetch'> {
  agent: Agent;
  /** A slow part does not hold up the others. */
  parts: Agent;
  /** Without time limits; its responses do not wait for each other. */
  patient: Agent;
}

function guardedFetch(policy: EgressPolicy, client: () => Promise<Client>): typeof globalThis.fetch {
  const send = async (
    input: Parameters<Undici['fetch']>[0],
    init?: Parameters<Undici['fetch']>[1],
  ): Promise<unknown> => {
    checkedUrl(typeof input === 'object' && 'url' in input ? input.url : String(input), policy);
    const { fetch, patient } = await client();
    return fetch(input, { ...init, dispatcher: patient });
  };
  // The same standard; only the names of its types differ between the package and the platform.
  return send as unknown as typeof globalThis.fetch;
}

/** The library is loaded with the first address that is fetched. */
async function openClient(policy: EgressPolicy): Promise<Client> {
  const { Agent, buildConnector, fetch, request } = await import('undici');
  const connect = buildConnector({
    timeout: TIMEOUTS.egressConnection,
    ...(policy !== 'private' && { lookup: publicLookup }),
  });
  const connection = {
    connect: guarded(connect, policy),
    pipelining: 1,
    keepAliveTimeout: 1_000,
    maxHeaderSize: 32 * 1024,
  };
  const limits = { connections: 1, headersTimeout: TIMEOUTS.egressHeaders, bodyTimeout: TIMEOUTS.egress };
  const agent = new Agent({ ...connection, ...limits });
  const parts = new Agent({ ...connection, ...limits, connections: PARTS_AT_ONCE });
  const patient = new Agent({ ...connection, headersTimeout: 0, bodyTimeout: 0 });
  return { agent, parts, patient, request, fetch };
}

/** Connects only to public addresses; what the name resolves to is looked at, and so is what it was connected to. */
function guarded(connect: buildConnector.connector, policy: EgressPolicy): buildConnector.connector {
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      if (policy !== 'private' && !isPublicAddress(socket.remoteAddress ?? '')) {
        socket.destroy();
        return callback(new EgressError('blocked'), null);
      }
      callback(null, socket);
    });
  };
}

/** A name with one address that must not be reached is refused as a whole: the next look-up could choose that one. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '');
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new EgressError('blocked'), '');
    if (options.all === true) return callback(null, addresses);
    callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  });
};

interface Answer {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

async function read(answer: Answer, url: URL, options: EgressOptions): Promise<Fetched> {
  const type = header(answer.headers['content-type']) ?? '';
  const mediaType = (type.split(';')[0] ?? '').trim().toLowerCase();
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1];
  const etag = header(answer.headers['etag']) ?? null;
  const lastModified = header(answer.headers['last-modified']) ?? null;
  const found = { url: url.href, status: answer.statusCode, mediaType, charset, etag, lastModified };
  const isGood = answer.statusCode >= 200 && answer.statusCode < 300;
  if (!isGood || !options.accepts(mediaType)) {
    answer.body.destroy();
    if (isGood) throw new EgressError('type');
    return { ...found, body: Buffer.alloc(0) };
  }
  const { maxBytes } = options;
  return {
    ...found,
    body: await decoded(answer, typeof maxBytes === 'number' ? maxBytes : maxBytes(mediaType)),
  };
}

/** The whole body, decompressed, within the limits of size and ratio. */
async function decoded({ headers, body }: Answer, maxBytes: number): Promise<Buffer> {
  if (Number(header(headers['content-length']) ?? 0) > maxBytes) {
    body.destroy();
    throw new EgressError('too_large');
  }
  let packed = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      packed += chunk.length;
      yield chunk;
    }
  }
  const source = unpacked(Readable.from(counted()), header(headers['content-encoding']));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes || (size > RATIO_FREE_BYTES && size > packed * RATIO_MAX))
        throw new EgressError('too_large');
      chunks.push(chunk);
    }
  } finally {
    source.destroy();
    body.destroy();
  }
  return Buffer.concat(chunks);
}

function unpacked(body: Readable, encoding: string | undefined): Readable {
  const decoder = decoderFor(encoding?.trim().toLowerCase());
  if (decoder === undefined) return body;
  body.on('error', (error) => decoder.destroy(error));
  return body.pipe(decoder);
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

function ignore(): void {}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

const LATE: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const UNKNOWN_HOST: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_NONAME', 'ENODATA']);

/** Errors of undici, sockets, TLS and zlib as one of ours. */
function asEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  if (!(error instanceof Error)) return new EgressError('network');
  if (error.cause instanceof EgressError) return error.cause;
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'TimeoutError' || LATE.has(code)) return new EgressError('timeout', { cause: error });
  if (UNKNOWN_HOST.has(code)) return new EgressError('unknown_host', { cause: error });
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return new EgressError('tls', { cause: error });
  return new EgressError('network', { cause: error });
}
