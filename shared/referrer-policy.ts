// Referrer policy of each page. The server sends it with every document, and the service worker with the shell that it
// shows for one.
import { matchPage } from './page-match.ts';
import { PAGES, type Layout } from './pages.ts';

/** Policy of all other pages: the origin to other sites, the whole address to this one. */
export const REFERRER_POLICY = 'strict-origin-when-cross-origin';

/** Addresses of log-in pages contain codes, tokens and the address to return to. */
const WAY_IN: ReadonlySet<Layout> = new Set(['auth', 'onboarding']);

export function referrerPolicyOf(pathname: string): 'no-referrer' | typeof REFERRER_POLICY {
  const match = matchPage(pathname);
  return match && WAY_IN.has(PAGES[match.name].layout) ? 'no-referrer' : REFERRER_POLICY;
}
