// The secret of a mailed link, `#token=…`, kept for this tab while logging in lies between the link and its page: a guard
// that leads away would lose it, and an address with it in the query would reach servers and their logs.
const KEY = 'loci-mailed-link';

function tokenIn(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';
  return token === '' ? undefined : token;
}

/** Called when a guard leads away from this page. */
export function keepMailedToken(pathname: string): void {
  const { hash, pathname: here } = globalThis.location;
  const token = tokenIn(hash);
  if (token === undefined || here !== pathname) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ pathname, token }));
  } catch (error) {
    // Without storage the person opens the link again.
    console.info('link: its secret could not be kept', error);
  }
}

/** The secret that a mailed link has brought to this page, now or before logging in. */
export function mailedTokenAt(pathname: string, hash: string): string | undefined {
  const token = tokenIn(hash);
  if (token !== undefined) return token;
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null || Reflect.get(kept, 'pathname') !== pathname)
      return undefined;
    const found: unknown = Reflect.get(kept, 'token');
    return typeof found === 'string' ? found : undefined;
  } catch (error) {
    console.info('link: its secret could not be read', error);
    return undefined;
  }
}

/** Once the secret was used, or is of no use. */
export function forgetMailedToken(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch (error) {
    console.info('link: this browser keeps nothing for the tab', error);
  }
}
