/** Signatures of the Standard Webhooks specification: HMAC-SHA256 over id, time and body, with the version in front. */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Binds an encrypted secret to its webhook. */
export const secretPlace = (webhookId: string) => `webhook ${webhookId}`;

/** A new secret in the form of the specification. */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The headers of one attempt; the time is that of the attempt, so that receivers can refuse old requests. */
export function signedHeaders(
  secret: string,
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Loci-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
