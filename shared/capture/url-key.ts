// The duplicate key of a saved address: host, path and sorted query without scheme, tracking
// parameters and fragment, so that the same page saved twice is recognised.

const TRACKING =
  /^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref_src|yclid|_hsenc|_hsmi|vero_id|wickedid)$/i;

/** The key, or null when the text is no http(s) address. */
export function urlKey(address: string): string | null {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const query = [...url.searchParams]
    .filter(([name]) => !TRACKING.test(name))
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)));
  const path = url.pathname.replace(/\/+$/, '') || '/';
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  return `${url.host.replace(/^www\./, '')}${path}${search}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
