/** An authenticator in software that answers WebAuthn calls as a browser would, rightly or with one thing wrong. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** What an answer claims; everything is right unless said otherwise. */
export interface Lie {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Counter of the authenticator; grows by itself. */
  counter?: number;
  userVerified?: boolean;
  userHandle?: string;
  signature?: Buffer;
}

interface Options {
  challenge?: unknown;
  user?: { id?: unknown };
}

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

/** CBOR of what an authenticator sends (RFC 8949): small integers, byte and text strings, maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Map) {
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)]),
    ]);
  }
  throw new Error('Not needed by authenticators');
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}

/** One authenticator with one credential for a site. */
export function createAuthenticator(site: string) {
  const { origin, hostname } = new URL(site);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = base64url(credentialId);
  let counter = 0;
  let handle = '';

  const clientData = (type: string, { challenge }: Options, lie: Lie) =>
    Buffer.from(
      JSON.stringify({
        type: lie.type ?? type,
        challenge: lie.challenge ?? challenge,
        origin: lie.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (flags: number, lie: Lie, attested = Buffer.alloc(0)) => {
    counter = lie.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const verified = lie.userVerified === false ? 0 : FLAGS.verified;
    const byte = Buffer.from([FLAGS.present | verified | flags]);
    return Buffer.concat([sha256(lie.rpId ?? hostname), byte, count, attested]);
  };
  const envelope = (response: Record<string, unknown>) => ({
    id,
    rawId: id,
    type: 'public-key' as const,
    response,
    clientExtensionResults: {},
  });

  return {
    id,
    /** The answer to `navigator.credentials.create`. */
    create(options: Options, lie: Lie = {}) {
      handle = String(options.user?.id);
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const cose = new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, cbor(cose)]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(FLAGS.attested, lie, attested)],
      ]);
      return envelope({
        clientDataJSON: base64url(clientData('webauthn.create', options, lie)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      });
    },
    /** The answer to `navigator.credentials.get`. */
    get(options: Options, lie: Lie = {}) {
      const data = authenticatorData(0, lie);
      const client = clientData('webauthn.get', options, lie);
      const signature =
        lie.signature ??
        createSign('sha256')
          .update(Buffer.concat([data, sha256(client)]))
          .sign(privateKey);
      return envelope({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: lie.userHandle ?? handle,
      });
    },
  };
}
