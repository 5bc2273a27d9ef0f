/** The layouts of pages with a single task, one narrow column under the mark: logging in, onboarding, consent. */
import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { ImpersonationBanner } from '#client/accounts/impersonation-banner.tsx';
import { Logo } from '#client/shell/logo.tsx';

/** `mark` is the logo, as a link or alone; pages have their own card. */
function NarrowColumn({ mark }: { mark: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col bg-sunk">
      <ImpersonationBanner />
      <header className="px-4 py-5 sm:px-6">{mark}</header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center px-4 pb-24 outline-none"
      >
        <Outlet />
      </main>
    </div>
  );
}

/** Log-in, sign-up and passwords: the logo links to the home page, and there are no other links. */
export function AuthLayout() {
  const mark = (
    <a href="/" aria-label="Loci home" className="inline-flex rounded-control py-1">
      <Logo />
    </a>
  );
  return <NarrowColumn mark={mark} />;
}

/** Onboarding and consent, for people who are signed in: the way out is on the pages. */
export function OnboardingLayout() {
  return <NarrowColumn mark={<Logo />} />;
}
