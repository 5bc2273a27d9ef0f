// The secret of a mailed link, `#token=…`, stored for this tab while the person logs in before reaching its page: the redirect
// of a guard would lose it, and an address with it in the query would reach servers and their logs.
import { readTab, writeTab } from '#client/shell/tab-storage.ts';

const KEY = 'loci-mailed-link';

/** Undefined when there is none, because a mail program cut the link or the page was opened by hand. */
export function mailedTokenIn(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';
  return token === '' ? undefined : token;
}

/** The hash for the address that a log-in returns to, which must not carry the secret of a mailed link. */
export function hashToReturnTo(hash: string): string {
  return mailedTokenIn(hash) === undefined ? hash : '';
}

/** Called when a guard leads away from this page. */
export function keepMailedToken(pathname: string): void {
  const { hash, pathname: here } = globalThis.location;
  const token = mailedTokenIn(hash);
  if (token === undefined || here !== pathname) return;
  // Without storage the person opens the link again.
  writeTab(KEY, { pathname, token });
}

/** The secret of the mailed link that opened this page, now or before logging in. */
export function mailedTokenAt(pathname: string, hash: string): string | undefined {
  const token = mailedTokenIn(hash);
  if (token !== undefined) return token;
  const kept = readTab(KEY);
  if (typeof kept !== 'object' || kept === null || Reflect.get(kept, 'pathname') !== pathname)
    return undefined;
  const found: unknown = Reflect.get(kept, 'token');
  return typeof found === 'string' ? found : undefined;
}

/** Once the secret was used, or is of no use. */
export function forgetMailedToken(): void {
  writeTab(KEY, undefined);
}
