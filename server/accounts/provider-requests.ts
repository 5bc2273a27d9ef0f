/**
 * Requests to identity providers between their start and their return. Each is completed once, in the browser that began it,
 * and ends in a one-time code for the page: no token is ever in an address.
 */
import { randomBytes } from 'node:crypto';
import type { ProviderName } from '#shared/accounts/identity-providers.ts';
import { PROVIDER_SIGN_IN } from '#shared/accounts/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { hashToken } from '../http/credentials.ts';
import type { Identity, IdentityProvider } from '../providers/identity.ts';

const SECRET_BYTES = 32;

const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url');

/** @throws not_found for a provider that this server is not set up with */
export function requireProvider(
  { identity }: Pick<Context, 'identity'>,
  name: ProviderName,
): IdentityProvider {
  const provider = identity[name];
  if (!provider) throw new AppError('not_found', 'There is nothing at this address');
  return provider;
}

/** The registered address that the provider sends browsers back to. */
function redirectUriOf({ config }: Pick<Context, 'config'>, provider: ProviderName): string {
  return `${config.appOrigin}/v1/auth/${provider}/callback`;
}

/** Stores a request and returns the address that the browser has to open. @throws not_found, or what the provider's library throws */
export async function beginProviderRequest(
  context: Context,
  {
    provider,
    browser,
    challenge,
  }: { provider: ProviderName; browser: string; challenge: string | undefined },
): Promise<URL> {
  const request = {
    state: newSecret(),
    codeVerifier: newSecret(),
    nonce: newSecret(),
    redirectUri: redirectUriOf(context, provider),
  };
  const url = await requireProvider(context, provider).authorizationUrl(request);
  const expires = context.clock.now().getTime() + PROVIDER_SIGN_IN.requestMs;
  await context.db
    .insertInto('provider_request')
    .values({
      stateHash: hashToken(request.state),
      provider,
      browserHash: hashToken(browser),
      codeVerifier: request.codeVerifier,
      nonce: request.nonce,
      challenge: challenge ?? null,
      expiresAt: new Date(expires).toISOString(),
    })
    .execute();
  return url;
}

/**
 * Completes the request and returns the one-time code for its page. @throws invalid when the request is unknown, already
 * completed or from another browser; or an error of the provider's library
 */
export async function finishProviderRequest(
  context: Context,
  { provider, browser, callback }: { provider: ProviderName; browser: string | undefined; callback: URL },
): Promise<string> {
  const source = requireProvider(context, provider);
  const state = callback.searchParams.get('state') ?? '';
  const request = await context.db
    .deleteFrom('provider_request')
    .where('stateHash', '=', hashToken(state))
    .returningAll()
    .executeTakeFirst();
  const now = context.clock.now();
  const fits =
    request !== undefined &&
    request.provider === provider &&
    request.expiresAt > now.toISOString() &&
    request.browserHash === hashToken(browser ?? '');
  if (!fits) throw new AppError('invalid', 'This log-in was not begun here, or took too long');
  const { codeVerifier, nonce, challenge } = request;
  const redirectUri = redirectUriOf(context, provider);
  const identity = await source.identify(callback, { state, codeVerifier, nonce, redirectUri });
  return storeProof(context, { provider, challenge, identity });
}

async function storeProof(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { provider, challenge, identity }: { provider: ProviderName; challenge: string | null; identity: Identity },
): Promise<string> {
  const code = newSecret();
  const { email, ...proven } = identity;
  await db
    .insertInto('provider_proof')
    .values({
      ...proven,
      codeHash: hashToken(code),
      provider,
      email: email ?? null,
      challenge,
      expiresAt: new Date(clock.now().getTime() + PROVIDER_SIGN_IN.proofMs).toISOString(),
    })
    .execute();
  return code;
}

/** Uses a one-time code up and returns what it proves. @throws invalid */
export async function consumeProviderProof(
  db: Database,
  { code, verifier, now }: { code: string; verifier: string | undefined; now: Date },
) {
  const proof = await db
    .deleteFrom('provider_proof')
    .where('codeHash', '=', hashToken(code))
    .returningAll()
    .executeTakeFirst();
  // hashToken is the S256 transformation of RFC 7636 section 4.2.
  const challenge = verifier === undefined ? null : hashToken(verifier);
  if (!proof || proof.expiresAt <= now.toISOString() || proof.challenge !== challenge) {
    throw new AppError('invalid', 'code: this log-in is not valid or has expired');
  }
  return proof;
}

/** Extends the proof so that the person has time to type a second-factor code; once for each proof. */
export async function extendProviderProof(db: Database, code: string, now: Date): Promise<void> {
  await db
    .updateTable('provider_proof')
    .set({
      extended: true,
      expiresAt: new Date(now.getTime() + PROVIDER_SIGN_IN.secondFactorMs).toISOString(),
    })
    .where('codeHash', '=', hashToken(code))
    .where('extended', '=', false)
    .execute();
}

/** Removes requests that were never finished. */
export async function forgetProviderRequests(db: Database, now: Date): Promise<void> {
  const at = now.toISOString();
  await db.deleteFrom('provider_request').where('expiresAt', '<=', at).execute();
  await db.deleteFrom('provider_proof').where('expiresAt', '<=', at).execute();
}
