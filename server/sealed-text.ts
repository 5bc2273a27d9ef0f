/**
 * Encrypts texts that are stored: AES-256-GCM, with a name that binds each to its place. `secrets` hold what this server
 * must be able to read again, under a key that is not in the database.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from './config.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}

/** The text encrypted, in base64. */
export function sealText(key: Buffer, text: string, place = ''): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64');
}

/** Decrypts a text. @throws when the key, the place or the text differs */
export function openText(key: Buffer, sealed: string, place = ''): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const hidden = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
}

export interface SecretBox {
  /** False without a key; then nothing can be encrypted. */
  isReady: boolean;
  /** @throws where it is not ready */
  seal(text: string, place: string): string;
  /** Undefined if it was sealed with another key or for another place, or was modified. */
  open(sealed: string, place: string): string | undefined;
}

/**
 * The box of this server. Its key comes from SECRETS_KEY; with the embedded database, which has only one server, from a file
 * that is created on first use.
 */
export function createSecretBox(config: Pick<Config, 'secretsKey' | 'dataDir' | 'databaseUrl'>): SecretBox {
  const isAlone = config.databaseUrl === undefined;
  let known: { key: Buffer; id: string } | undefined;
  const keyOf = () => {
    if (known !== undefined) return known;
    const secret = config.secretsKey ?? (isAlone ? secretInFile(config.dataDir) : undefined);
    if (secret === undefined) throw new Error('SECRETS_KEY is not set');
    const key = deriveKey(secret, 'stored secrets');
    known = { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
    return known;
  };
  const isReady = config.secretsKey !== undefined || isAlone;
  return {
    isReady,
    seal(text, place) {
      const { key, id } = keyOf();
      return `${id}.${sealText(key, text, place)}`;
    },
    open(sealed, place) {
      if (!isReady) return undefined;
      const { key, id } = keyOf();
      const [sealedWith, text = ''] = sealed.split('.', 2);
      if (sealedWith !== id) return undefined;
      try {
        return openText(key, text, place);
      } catch (error) {
        // The cipher reports only that decryption failed.
        if (error instanceof Error) return undefined;
        throw error;
      }
    },
  };
}

function secretInFile(dataDir: string): string {
  const file = path.join(dataDir, 'secrets.key');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(KEY_BYTES).toString('base64url'), { flag: 'wx', mode: 0o600 });
    chmodSync(file, 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < KEY_BYTES) throw new Error(`${file} holds no key`);
  return secret;
}
