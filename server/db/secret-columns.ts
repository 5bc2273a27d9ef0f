/** A secret in a row (stored-secret.ts): one of the two is null. */
export interface SecretColumns {
  secret: string | null;
  sealedSecret: string | null;
}
