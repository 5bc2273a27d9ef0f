/**
 * Where a signed-in person goes next: the part of onboarding that is missing, else the workspace used last.
 * Pure; the same order as the guard.
 */
import type { Person } from '#client/api/session.ts';

type Known = Pick<Person, 'workspaces'> & { user: Pick<Person['user'], 'forename'> };

/** A path of this site. `last` is the workspace opened last on this device. */
export function nextStep({ user, workspaces }: Known, last: { slug: string } | undefined): string {
  if (!user.forename) return '/onboarding/profile';
  const slug = (workspaces.find((workspace) => workspace.slug === last?.slug) ?? workspaces[0])?.slug;
  return slug === undefined ? '/onboarding/create-workspace' : `/${slug}`;
}
