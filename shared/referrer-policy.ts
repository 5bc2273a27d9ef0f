// What a page reveals about itself to the page that is opened from it. The server sends it with every document,
// and the service worker with the shell that it shows for one.
import { matchPage } from './page-match.ts';
import { PAGES, type Layout } from './pages.ts';

/** What every other page says: to strangers its origin, to ourselves its whole address. */
export const REFERRER_POLICY = 'strict-origin-when-cross-origin';

/** Addresses on the way in carry codes, tokens and the address to return to. */
const WAY_IN: ReadonlySet<Layout> = new Set(['auth', 'onboarding']);

/** The policy of the page at a path. */
export function referrerPolicyOf(pathname: string): 'no-referrer' | typeof REFERRER_POLICY {
  const match = matchPage(pathname);
  return match && WAY_IN.has(PAGES[match.name].layout) ? 'no-referrer' : REFERRER_POLICY;
}
