// An invitation that this tab has opened from a mail: its id is in the path, its secret in the fragment. Stored for the
// tab until it is accepted or declined, because the person may have to log in or sign up first.
import { isId, type Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { readTab, writeTab } from '#client/shell/tab-storage.ts';

const KEY = 'loci-invite';

export interface InviteArrival {
  id: Id<'invite'>;
  /** Address that was invited, to be put into the form. */
  email: string;
}

/** The page on which an invitation is accepted or declined. */
export function invitePath(id: string): string {
  return `${pathTo('accept_invite', {})}?invite=${id}`;
}

/**
 * The invitation in the current address. Its secret is stored for the tab and removed from the address bar and the
 * history.
 */
export function takeInviteArrival(): InviteArrival | undefined {
  const { pathname, search, hash } = globalThis.location;
  const id = new URLSearchParams(search).get('invite');
  if (!isId('invite', id)) return undefined;
  const secret = new URLSearchParams(hash.slice(1));
  const token = secret.get('token');
  const email = secret.get('email') ?? '';
  if (token !== null) {
    // Without storage the person confirms the address another way.
    writeTab(KEY, { id, token, email });
    globalThis.history.replaceState(globalThis.history.state, '', pathname + search);
  }
  const kept = find(id);
  return { id, email: kept?.email ?? email };
}

/** The secret of this invitation, if this tab was opened by its link. */
export function inviteToken(id: string): string | undefined {
  return find(id)?.token;
}

/** Call once the invitation is accepted or declined. */
export function forgetInvite(): void {
  writeTab(KEY, undefined);
}

interface Kept {
  id: string;
  token: string;
  email: string;
}

function find(id: string): Kept | undefined {
  const kept = readTab(KEY);
  return isKept(kept) && kept.id === id ? kept : undefined;
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  return ['id', 'token', 'email'].every((field) => typeof Reflect.get(value, field) === 'string');
}
