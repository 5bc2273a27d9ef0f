// The table of identifier kinds: prefix and length of the random part.
// Everything about an id (type, generator, check; its schema in define/id-schema.ts) derives from this table. Knows no zod:
// the page needs ids before it needs schemas.

/** Lower-case letters and digits without `0` and `l`: 34 symbols, about 5.09 bits each. */
export const ID_ALPHABET = 'abcdefghijkmnopqrstuvwxyz123456789';

/** Prefix (or null for none) and number of random symbols per kind; the prefixes are part of the API. */
export const ID_KINDS = {
  api_key: { prefix: 'basebrain', length: 64 },
  api_key_token: { prefix: 'sk', length: 64 },
  user: { prefix: 'usr', length: 32 },
  workspace: { prefix: 'ws', length: 32 },
  invite: { prefix: 'inv', length: 64 },
  space: { prefix: 'spc', length: 24 },
  memory: { prefix: 'mem', length: 32 },
  memory_media: { prefix: 'media', length: 32 },
  chunk: { prefix: 'chk', length: 32 },
  thread: { prefix: 'thrd', length: 24 },
  message: { prefix: 'msg', length: 32 },
  rating: { prefix: 'rating', length: 32 },
  upload: { prefix: 'upload', length: 32 },
  export: { prefix: 'export', length: 32 },
  feed: { prefix: 'feed', length: 24 },
  mail_address: { prefix: 'save', length: 32 },
  internal_event: { prefix: 'int_evt', length: 64 },
  notification: { prefix: 'notif', length: 32 },
  oauth_client: { prefix: 'oauth_client', length: 24 },
  oauth_auth_code: { prefix: 'oauth_code', length: 24 },
  oauth_token: { prefix: 'oauth_token', length: 24 },
  oauth_refresh: { prefix: 'oauth_refresh', length: 24 },
  email: { prefix: 'email', length: 24 },
  webhook: { prefix: 'webhook', length: 24 },
  webhook_delivery: { prefix: 'delivery', length: 32 },
  session: { prefix: null, length: 32 },
  workspace_member: { prefix: null, length: 32 },
} as const;

export type IdKind = keyof typeof ID_KINDS;

/** The string type of an id; ids of different prefixes are not assignable to each other. */
export type Id<K extends IdKind> = (typeof ID_KINDS)[K]['prefix'] extends infer P extends string
  ? `${P}_${string}`
  : string;

export function patternOf(kind: IdKind): RegExp {
  const { prefix, length } = ID_KINDS[kind];
  return new RegExp(`^${prefix === null ? '' : `${prefix}_`}[${ID_ALPHABET}]{${length}}$`);
}

const patterns = new Map<IdKind, RegExp>();

/** True when the text has exactly the kind's prefix, length and alphabet. */
export function isId<K extends IdKind>(kind: K, text: unknown): text is Id<K> {
  const pattern = patterns.get(kind) ?? patternOf(kind);
  patterns.set(kind, pattern);
  return typeof text === 'string' && pattern.test(text);
}

function randomSymbols(length: number): string {
  let text = '';
  // 238 = 7 * 34: bytes above would favour the first symbols, so they are drawn again.
  const limit = 256 - (256 % ID_ALPHABET.length);
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < limit && text.length < length) text += ID_ALPHABET[byte % ID_ALPHABET.length];
    }
  }
  return text;
}

/** A fresh random id; safe to create on any device, offline. */
export function newId<K extends IdKind>(kind: K): Id<K> {
  const { prefix, length } = ID_KINDS[kind];
  const text = `${prefix === null ? '' : `${prefix}_`}${randomSymbols(length)}`;
  if (!isId(kind, text)) throw new Error(`The ${kind} generator made a malformed id`);
  return text;
}
