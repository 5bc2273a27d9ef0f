/** `/onboarding`: a page without content of its own that leads on to the next step. */
import { Navigate } from 'react-router';
import { lastWorkspace, usePerson } from '#client/api/session.ts';
import { nextStep } from '#client/accounts/next-step.ts';

export function OnboardingPage() {
  const person = usePerson();
  if (!person) return null;
  return <Navigate to={nextStep(person, lastWorkspace())} replace />;
}
