/**
 * A push service on this machine: takes messages as RFC 8030 describes them, checks the signature of their sender
 * (RFC 8292) and decrypts them as the browser would (RFC 8291).
 */
import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import ece from 'http_ece';
import { importJWK, jwtVerify } from 'jose';

/** One message that arrived, decrypted. */
export interface PushedMessage {
  path: string;
  payload: unknown;
  ttl: number;
  urgency: string | undefined;
  /** Public key that signed the sender's token. */
  senderKey: string;
  subject: string | undefined;
}

/** A browser's side of a subscription. */
export interface TestBrowser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  path: string;
}

export interface PushService {
  origin: string;
  messages: PushedMessage[];
  /** Requests that were not valid, with the reason. */
  refused: string[];
  /** Status of the answers to come; 201 unless a test says otherwise. */
  answerWith(status: number): void;
  newBrowser(): TestBrowser;
  close(): Promise<void>;
}

/** Starts the service. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: Buffer }>();
  const messages: PushedMessage[] = [];
  const refused: string[] = [];
  let status = 201;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void receive(request.url ?? '', request.headers, Buffer.concat(chunks))
        .catch((error: unknown) => refused.push(String(error)))
        .finally(() => response.writeHead(status).end());
    });
  });
  const receive = async (
    path: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: Buffer,
  ): Promise<void> => {
    const browser = browsers.get(path);
    if (browser === undefined) throw new Error(`There is no browser at ${path}`);
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('The message is not in aes128gcm');
    const [, token = '', senderKey = ''] =
      /^vapid t=([^,]+), ?k=(\S+)$/.exec(String(headers['authorization'])) ?? [];
    const point = Buffer.from(senderKey, 'base64url');
    const key = await importJWK(
      {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      },
      'ES256',
    );
    const { payload: claims } = await jwtVerify(token, key, { audience: origin, maxTokenAge: undefined });
    if ((claims.exp ?? Infinity) * 1_000 > Date.now() + 24 * 3_600_000 + 60_000)
      throw new Error('The token is valid for more than a day');
    const text = ece
      .decrypt(body, {
        version: 'aes128gcm',
        privateKey: browser.ecdh,
        authSecret: browser.auth.toString('base64url'),
      })
      .toString('utf8');
    messages.push({
      path,
      payload: JSON.parse(text),
      ttl: Number(headers['ttl']),
      urgency: headers['urgency']?.toString(),
      senderKey,
      subject: claims.sub,
    });
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the push service has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    messages,
    refused,
    answerWith: (next) => {
      status = next;
    },
    newBrowser() {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString('hex')}`;
      browsers.set(path, { ecdh, auth });
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') };
      return { path, subscription: { endpoint: `${origin}${path}`, keys } };
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
