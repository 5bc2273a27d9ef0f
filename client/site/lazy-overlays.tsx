// Everything that may lie over a public page (search, early access, toasts), loaded when it is first needed.
// Server rendering knows none of it.
import { useState } from 'react';
import { useStore } from '#client/shell/external-store.ts';
import { useModal } from '#client/shell/modals.ts';
import { toastStore } from '#client/shell/toasts.ts';
import { lazyPart } from '#client/ui/lazy-part.tsx';
import { siteSearchStore } from '#client/site/site-search-store.ts';

const SiteSearch = lazyPart('the search', () =>
  import('#client/site/site-search.tsx').then((m) => m.SiteSearch),
);
const EarlyAccessModal = lazyPart('the form', () =>
  import('#client/site/early-access-modal.tsx').then((m) => m.EarlyAccessModal),
);
const Toaster = lazyPart('short messages', () => import('#client/shell/toaster.tsx').then((m) => m.Toaster));

/** Stays true once it was, so that closing can fade. */
function useEver(now: boolean): boolean {
  const [ever, setEver] = useState(now);
  if (now && !ever) setEver(true);
  return ever || now;
}

/** Once in the root of the public site. */
export function LazyOverlays() {
  const search = useEver(useStore(siteSearchStore));
  const access = useEver(useModal('earlyAccess').open);
  const toasts = useEver(useStore(toastStore).length > 0);
  return (
    <>
      {search && <SiteSearch />}
      {access && <EarlyAccessModal />}
      {toasts && <Toaster />}
    </>
  );
}
