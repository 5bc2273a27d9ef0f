/** The layout of onboarding and consent, for people who are signed in: the way out is on the pages. */
import { NarrowColumn } from '#client/layouts/narrow-column.tsx';
import { Logo } from '#client/shell/logo.tsx';

export function OnboardingLayout() {
  return <NarrowColumn mark={<Logo />} />;
}
