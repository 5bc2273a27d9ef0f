/** One narrow column under the mark, for pages with a single task: logging in, onboarding, consent. */
import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { ImpersonationBanner } from '#client/accounts/impersonation-banner.tsx';

/** `mark` is the logo, as a link or alone; pages have their own card. */
export function NarrowColumn({ mark }: { mark: ReactNode }) {
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
