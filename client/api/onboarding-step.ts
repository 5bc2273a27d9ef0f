// The order of onboarding, defined once for guards, sign-ins and the onboarding pages.
import { pathTo } from '#shared/pages.ts';

export interface GuardPerson {
  forename: string | null;
  emailVerified: boolean;
  /** Slugs of the workspaces the person belongs to. */
  workspaceSlugs: readonly string[];
}

/**
 * The page of the first step that is missing; undefined when onboarding is done. Proving the address is a step until there
 * is a workspace; its page lets the person put it off.
 */
export function onboardingStep({ forename, emailVerified, workspaceSlugs }: GuardPerson): string | undefined {
  const hasWorkspace = workspaceSlugs.length > 0;
  if (!hasWorkspace && !emailVerified) return pathTo('verify_email', {});
  if (!forename) return pathTo('onboarding_profile', {});
  return hasWorkspace ? undefined : pathTo('create_workspace', {});
}
