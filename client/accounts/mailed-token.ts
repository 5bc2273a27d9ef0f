/** The secret of a mailed link. It is in the fragment, `#token=…`, which browsers send to no server. */

/** Undefined when the address has none, because a mail program cut the link or the page was opened by hand. */
export function mailedToken(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';
  return token === '' ? undefined : token;
}
