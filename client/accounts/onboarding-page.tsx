/**
 * `/onboarding` and `/onboarding/verify-email`: pages without content of their own that lead on to the next step.
 * A new account counts as verified for now, so there is nothing to verify.
 */
import { Navigate } from 'react-router';
import { lastWorkspace, usePerson } from '#client/api/session.ts';
import { nextStep } from '#client/accounts/next-step.ts';

/** Goes on. */
export function OnboardingPage() {
  const person = usePerson();
  if (!person) return null;
  const step = nextStep({ ...person, user: { ...person.user, emailVerified: true } }, lastWorkspace());
  return <Navigate to={step} replace />;
}
