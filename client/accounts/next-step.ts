/** Where a signed-in person goes next: the step of onboarding that is missing, else the workspace used last. Pure. */
import { onboardingStep } from '#client/api/onboarding-step.ts';
import type { Person } from '#client/api/session.ts';

type Known = Pick<Person, 'workspaces'> & { user: Pick<Person['user'], 'forename' | 'emailVerified'> };

/** The page of the missing step; undefined when onboarding is done. */
export function missingStep({ user, workspaces }: Known): string | undefined {
  const workspaceSlugs = workspaces.map(({ slug }) => slug);
  return onboardingStep({ ...user, workspaceSlugs });
}

/** A path of this site. `last` is the workspace opened last on this device. */
export function nextStep(known: Known, last: { slug: string } | undefined): string {
  const { workspaces } = known;
  const open = workspaces.find((workspace) => workspace.slug === last?.slug) ?? workspaces[0];
  return missingStep(known) ?? `/${open?.slug ?? ''}`;
}

/** The same once the address is proven, or the proof was put off. */
export function stepAfterProof({ user, workspaces }: Known, last: { slug: string } | undefined): string {
  return nextStep({ user: { ...user, emailVerified: true }, workspaces }, last);
}
