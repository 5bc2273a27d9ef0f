// The order of onboarding, defined once for guards, sign-ins and the onboarding pages.
import { pathTo } from '#shared/pages.ts';

interface Known {
  forename: string | null;
  /** Slugs of the workspaces the person belongs to. */
  workspaceSlugs: readonly string[];
}

/**
 * The page of the first step that is missing; undefined when onboarding is done. Proving the address is a step right
 * after signing up only: no page requires it, so the guard never leads there.
 */
export function onboardingStep(person: Known, mustProve = false): string | undefined {
  if (mustProve) return pathTo('verify_email', {});
  if (!person.forename) return pathTo('onboarding_profile', {});
  return person.workspaceSlugs.length === 0 ? pathTo('create_workspace', {}) : undefined;
}
