/**
 * State of this tab during the redirect to an identity provider: the PKCE verifier, without which the returned code is
 * worthless, and the interrupted action.
 */
import type { ProviderName } from '#shared/accounts/identity-providers.ts';
import { isId } from '#shared/ids.ts';
import { safeRedirect } from '#client/api/return-decision.ts';
import { readTab, writeTab } from '#client/shell/tab-storage.ts';

const KEY = 'loci-provider-trip';
const VERIFIER_BYTES = 32;

/** sign-in = open or create an account; connect = add the provider to the own account; confirm = prove an old session. */
type TripPurpose = 'sign-in' | 'connect' | 'confirm';

export interface Trip {
  provider: ProviderName;
  purpose: TripPurpose;
  verifier: string;
  /** Page of this site where the log-in started, with its query. */
  from: string;
  /** Invitation or early-access token for a new account. */
  invite: string | undefined;
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Leaves for the provider, and lasts as long as the page. @throws when this browser provides no session storage */
export async function beginTrip(given: Omit<Trip, 'verifier'>): Promise<never> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(VERIFIER_BYTES)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  if (!writeTab(KEY, { ...given, verifier })) throw new Error('This browser stores nothing for a tab');
  globalThis.location.assign(`/v1/auth/${given.provider}?challenge=${base64url(new Uint8Array(hash))}`);
  return new Promise(() => undefined);
}

/** The way that ends here, once. Undefined when it was not begun in this tab. */
export function takeTrip(provider: ProviderName): Trip | undefined {
  const kept = readTab(KEY);
  writeTab(KEY, undefined);
  return isTrip(kept) && kept.provider === provider ? kept : undefined;
}

function isTrip(value: unknown): value is Trip {
  if (typeof value !== 'object' || value === null) return false;
  const texts = ['provider', 'purpose', 'verifier', 'from'].every(
    (field) => typeof Reflect.get(value, field) === 'string',
  );
  return texts && safeRedirect(String(Reflect.get(value, 'from'))) !== undefined;
}

/** The invitation in the query of a log-in page: one to a workspace, or an early-access token. */
export function inviteIn(search: string): string | undefined {
  const invite = new URLSearchParams(search).get('invite');
  return isId('invite', invite) || /^[\w-]{43}$/.test(invite ?? '') ? (invite ?? undefined) : undefined;
}
