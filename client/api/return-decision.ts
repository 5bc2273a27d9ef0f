// Where a sign-in leads as pure functions. Apart from the guards, which every public page carries.
import { isId } from '#shared/ids.ts';
import { matchPage } from '#shared/page-match.ts';
import { PAGES, pathTo } from '#shared/pages.ts';
import type { GuardPerson } from '#client/api/onboarding-step.ts';

/** The path a sign-in returns to: only paths of this site are followed. */
export function safeRedirect(path: string | null | undefined): string | undefined {
  if (!path?.startsWith('/') || path.startsWith('//') || path.includes('\\')) return undefined;
  const url = URL.parse(path, 'http://same.invalid');
  return url?.host === 'same.invalid' ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

/** The workspace whose members alone may open this path of the site; undefined for every other path. */
export function workspaceOf(path: string): string | undefined {
  const match = matchPage(new URL(path, 'http://same.invalid').pathname);
  return match && PAGES[match.name].guard === 'login' ? match.params['workspace_slug'] : undefined;
}

/** The redirect of a signed-in visit to /login or /signup; undefined = stay. */
export function awayFromLogin(visit: {
  person: Pick<GuardPerson, 'workspaceSlugs'> | undefined;
  search: string;
  lastSlug: string | undefined;
}): string | undefined {
  const query = new URLSearchParams(visit.search);
  if (!visit.person || query.get('clear') === 'true') return undefined;
  const back = safeRedirect(query.get('redirect'));
  if (back !== undefined) return back;
  const invite = query.get('invite');
  if (isId('invite', invite)) return `${pathTo('accept_invite', {})}?invite=${invite}`;
  const { workspaceSlugs } = visit.person;
  const slug = workspaceSlugs.find((candidate) => candidate === visit.lastSlug) ?? workspaceSlugs[0];
  return slug === undefined ? '/onboarding' : `/${slug}`;
}
