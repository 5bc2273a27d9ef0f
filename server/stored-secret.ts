/**
 * A secret in a row: encrypted in `sealedSecret`, or as it is in `secret`, where this server has no key or the row is older
 * than the encryption.
 */
import type { SecretBox } from './sealed-text.ts';

/** The two columns, one of which is null. */
export interface StoredSecret {
  secret: string | null;
  sealedSecret: string | null;
}

/** The columns of a new secret. The place binds it to its row: copied into another one it cannot be read. */
export function storeSecret(box: SecretBox, text: string, place: string): StoredSecret {
  return box.isReady
    ? { secret: null, sealedSecret: box.seal(text, place) }
    : { secret: text, sealedSecret: null };
}

/** The secret of a row; undefined when it was encrypted with another key or belongs to another row. */
export function readSecret(
  box: SecretBox,
  { secret, sealedSecret }: StoredSecret,
  place: string,
): string | undefined {
  return sealedSecret === null ? (secret ?? undefined) : box.open(sealedSecret, place);
}
