/**
 * The layout of onboarding and consent: the mark, one narrow column, and the way out.
 * Like the layout of log-in, for people who are signed in.
 */
import { Outlet } from 'react-router';
import { Logo } from '#client/site/logo.tsx';

/** Pages bring their own card. */
export function OnboardingLayout() {
  return (
    <div className="flex min-h-dvh flex-col bg-sunken">
      <header className="px-4 py-5 sm:px-6">
        <Logo />
      </header>
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
