// Who is signed in, and what the person chose; in the storage of the extension, which pages cannot read.
import type { Id } from '#shared/ids.ts';

export interface Account {
  /** Origin. */
  server: string;
  clientId: string;
  userId: Id<'user'>;
  userName: string;
  workspaceId: Id<'workspace'>;
  workspaceName: string;
  workspaceSlug: string;
  /** Absent once the server has ended them: the person signs in again. */
  tokens?: Tokens;
}

export interface Tokens {
  access: string;
  refresh: string;
  /** Milliseconds since 1970. */
  expires: number;
}

interface Stored {
  account: Account;
  /** Origin of the server that was named last. */
  server: string;
  /** Space that was chosen last, by account. */
  spaces: Record<string, Id<'space'> | null>;
  /** Client id by server. */
  clients: Record<string, string>;
}

/** Key of an account; waiting entries have it. */
export function accountKey({ server, userId, workspaceId }: Account): string {
  return `${server} ${userId} ${workspaceId}`;
}

export async function stored<K extends keyof Stored>(key: K): Promise<Stored[K] | undefined> {
  const values: Partial<Stored> = await chrome.storage.local.get(key);
  return values[key];
}

export async function store<K extends keyof Stored>(key: K, value: Stored[K]): Promise<void> {
  await chrome.storage.local.set({ [key]: value });
}

export async function forgetAccount(): Promise<void> {
  await chrome.storage.local.remove('account');
}

/** The space that new pages of the account go to; null for none. */
export async function spaceOf(account: Account): Promise<Id<'space'> | null> {
  return (await stored('spaces'))?.[accountKey(account)] ?? null;
}

export async function keepSpace(account: Account, spaceId: Id<'space'> | null): Promise<void> {
  await store('spaces', { ...(await stored('spaces')), [accountKey(account)]: spaceId });
}
