/** The secrets in a mail, as the person reads them there. */
import { isId, type Id } from '#shared/ids.ts';

interface ReadMail {
  text: string;
}

/** The code of six digits in a mail; empty when there is none. */
export function codeIn({ text }: ReadMail): string {
  return /^\d{6}$/m.exec(text)?.[0] ?? '';
}

/** The token of the link in a mail; empty when there is none. */
export function tokenIn({ text }: ReadMail): string {
  return /#token=([\w-]{43})$/m.exec(text)?.[1] ?? '';
}

/** The token of the link that confirms the newsletter; empty when there is none. */
export function newsTokenIn({ text }: ReadMail): string {
  return /#confirm=([\w-]{43})$/m.exec(text)?.[1] ?? '';
}

/** What the link of an invitation carries. */
export interface InviteLink {
  /** `/login` or `/signup`. */
  page: string;
  id: Id<'invite'>;
  token: string;
  email: string;
  /** Path, query and fragment. */
  path: string;
}

/** The link in the mail of an invitation. */
export function inviteIn({ text }: ReadMail): InviteLink {
  const url = new URL(/^https?:\S+\?invite=\S+$/m.exec(text)?.[0] ?? 'http://no.invalid/link');
  const id = url.searchParams.get('invite');
  if (!isId('invite', id)) throw new Error(`There is no invitation in ${text}`);
  const secret = new URLSearchParams(url.hash.slice(1));
  return {
    page: url.pathname,
    id,
    token: secret.get('token') ?? '',
    email: secret.get('email') ?? '',
    path: `${url.pathname}${url.search}${url.hash}`,
  };
}
