// The frame of every public page: header, main landmark, footer.
import type { ReactNode } from 'react';
import { SiteFooter } from '#client/site/site-footer.tsx';
import { SiteHeader } from '#client/site/site-header.tsx';

export function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader />
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}
