// Guards of the pages table as one check that runs before a page's loader. The session is an interface; the application passes
// the implementation.
import { type LoaderFunctionArgs, createContext, data, redirectDocument, replace } from 'react-router';
import { matchPage } from '#shared/page-match.ts';
import { type Guard, PAGES } from '#shared/pages.ts';
import { isWorkspaceSlug } from '#shared/workspace-slug.ts';
import { guardDecision } from '#client/api/guard-decision.ts';
import type { GuardPerson } from '#client/api/onboarding-step.ts';
import { hashToReturnTo, keepMailedToken } from '#client/shell/mailed-link.ts';
import { offlineFailure } from '#client/shell/offline-failure.ts';

/** Session data for guards. The first value comes from the device, so guards work offline. */
export interface GuardSession {
  /** Undefined without a session. */
  person(): Promise<GuardPerson | undefined>;
  /** The person as stored on the server now; `person` when the server cannot be reached. */
  refreshed(): Promise<GuardPerson | undefined>;
  /** The present address of one of the person's workspaces that had this one before. */
  movedTo(slug: string): Promise<string | undefined>;
}

const signedOut: GuardSession = {
  person: async () => undefined,
  refreshed: async () => undefined,
  movedTo: async () => undefined,
};

/** Where loaders find the session; server rendering uses the default, which is signed out. */
export const guardSessionContext = createContext<() => Promise<GuardSession>>(async () => signedOut);

/** The hash of the address that is being opened, which the request of a loader lacks; server rendering has none. */
export const pendingHashContext = createContext<() => string>(() => '');

/** The spec's failure for unknown addresses, to be thrown by loaders. */
function notFound(pathname: string) {
  return data({ error: { detail: `Page Not Found: ${pathname}` } }, { status: 404 });
}

/**
 * Loads an address that the application has no page for from the server. When the document of that same address is the shell,
 * no request was sent: the page is one that this device does not have, or one that is not built yet.
 * @throws a document redirect, or the failure to show
 */
export function leaveApplication({
  request,
  context,
}: Pick<LoaderFunctionArgs, 'request' | 'context'>): never {
  const { pathname, search } = new URL(request.url);
  if (pathname + search !== location.pathname + location.search)
    throw redirectDocument(pathname + search + context.get(pendingHashContext)());
  const match = matchPage(pathname);
  throw match && PAGES[match.name].render === 'ssr' ? offlineFailure() : notFound(pathname);
}

/** Runs a page's guard. @throws a redirect to where the person must go first, or not-found for a workspace that is not theirs. */
export async function checkGuard(
  guard: Guard,
  { request, params, context }: LoaderFunctionArgs,
): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const slug = params['workspace_slug'];
  // A part of the public site may look like a page of a workspace: /docs, /docs/spaces.
  if (slug !== undefined && !isWorkspaceSlug(slug)) leaveApplication({ request, context });
  if (guard === 'none') return;
  const session = await context.get(guardSessionContext)();
  const hash = context.get(pendingHashContext)();
  const visit = { guard, target: pathname + search + hashToReturnTo(hash), workspaceSlug: slug };
  const decision = guardDecision({ ...visit, person: await session.person() });
  if (decision.go === 'on') return;
  // The device may be behind: a workspace just joined, an address just verified elsewhere.
  const checked = guardDecision({ ...visit, person: await session.refreshed() });
  if (checked.go === 'redirect') {
    keepMailedToken(pathname);
    throw replace(checked.to);
  }
  if (checked.go !== 'not-found') return;
  const moved = slug === undefined ? undefined : await session.movedTo(slug);
  if (slug === undefined || moved === undefined) throw notFound(pathname);
  throw replace(`/${moved}${pathname.slice(slug.length + 1)}${search}${hash}`);
}
