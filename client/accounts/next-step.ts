/** Where a signed-in person goes next: the step of onboarding that is missing, else the workspace used last. Pure. */
import { onboardingStep } from '#client/api/onboarding-step.ts';
import type { Person } from '#client/api/session.ts';

type Known = Pick<Person, 'workspaces'> & { user: Pick<Person['user'], 'forename'> };

/** The page of the missing step; undefined when onboarding is done. `mustProve`: the account is new, its address unproven. */
export function missingStep({ user, workspaces }: Known, mustProve = false): string | undefined {
  const workspaceSlugs = workspaces.map(({ slug }) => slug);
  return onboardingStep({ forename: user.forename, workspaceSlugs }, mustProve);
}

/** A path of this site. `last` is the workspace opened last on this device. */
export function nextStep(known: Known, last: { slug: string } | undefined): string {
  const { workspaces } = known;
  const open = workspaces.find((workspace) => workspace.slug === last?.slug) ?? workspaces[0];
  return missingStep(known) ?? `/${open?.slug ?? ''}`;
}
