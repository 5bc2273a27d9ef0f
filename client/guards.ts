// Guards of the pages table as one check that runs before a page's loader (PRODUCT 5.5).
// Knows what it needs of the session as an interface; the signed-in application hands the session in, so public pages never load it.
import { type LoaderFunctionArgs, createContext, data, replace } from 'react-router';
import type { Guard } from '#shared/pages.ts';
import { isWorkspaceSlug } from '#shared/workspace-slug.ts';
import { guardDecision, type GuardPerson } from '#client/api/guard-decision.ts';

/** What guards must know of the session. The first answer comes from the device, so guards work offline. */
export interface GuardSession {
  /** Undefined when nobody is signed in. */
  person(): Promise<GuardPerson | undefined>;
  /** The person as the server knows them now; as `person` when it cannot be asked. */
  refreshed(): Promise<GuardPerson | undefined>;
  /** The present address of one of the person's workspaces that had this one before. */
  movedTo(slug: string): Promise<string | undefined>;
}

const nobody: GuardSession = {
  person: async () => undefined,
  refreshed: async () => undefined,
  movedTo: async () => undefined,
};

/** Where loaders find the session; server rendering keeps the default, which is nobody. */
export const guardSessionContext = createContext<() => Promise<GuardSession>>(async () => nobody);

/** The spec's failure for unknown addresses, to be thrown by loaders. */
export function notFound(pathname: string) {
  return data({ error: { detail: `Page Not Found: ${pathname}` } }, { status: 404 });
}

/** Runs a page's guard. @throws a redirect to where the person must go first, or not-found for a workspace that is not theirs. */
export async function checkGuard(
  guard: Guard,
  { request, params, context }: LoaderFunctionArgs,
): Promise<void> {
  const { pathname, search, hash } = new URL(request.url);
  const slug = params['workspace_slug'];
  if (slug !== undefined && !isWorkspaceSlug(slug)) throw notFound(pathname);
  if (guard === 'none') return;
  const session = await context.get(guardSessionContext)();
  const visit = { guard, target: pathname + search + hash, workspaceSlug: slug };
  const decision = guardDecision({ ...visit, person: await session.person() });
  if (decision.go === 'on') return;
  // The device may be behind: a workspace just joined, an address just verified elsewhere.
  const checked = guardDecision({ ...visit, person: await session.refreshed() });
  if (checked.go === 'redirect') throw replace(checked.to);
  if (checked.go !== 'not-found') return;
  const moved = slug === undefined ? undefined : await session.movedTo(slug);
  if (slug === undefined || moved === undefined) throw notFound(pathname);
  throw replace(`/${moved}${pathname.slice(slug.length + 1)}${search}${hash}`);
}
