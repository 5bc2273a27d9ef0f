/** Fixed on every page while staff act as another person: whose account it is, and the way back to their own. */
import { useState } from 'react';
import { PAGES } from '#shared/pages.ts';
import { displayName } from '#shared/accounts/display-name.ts';
import { api } from '#client/api/session-client.ts';
import { beginLeaving, endImpersonation, useImpersonated, usePerson } from '#client/api/session.ts';
import { Button } from '#client/ui/button.tsx';

/** Ends the session on the server, and on this page in any case: it ends by itself after half an hour. */
async function leave(): Promise<void> {
  beginLeaving();
  try {
    await api('auth.logout', {});
  } catch (failure) {
    console.warn('impersonation: the session could not be ended on the server', failure);
  }
  endImpersonation();
  // Load a new page to clear the other person's data from memory.
  location.assign(PAGES.staff.path);
}

/** Nothing for everyone else. */
export function ImpersonationBanner() {
  const isActing = useImpersonated();
  const person = usePerson();
  const [busy, setBusy] = useState(false);
  if (!isActing || !person) return null;
  const { user } = person;
  const name = user.forename === null ? user.email : displayName(user);
  return (
    <section
      aria-label="Impersonation"
      className="fixed inset-x-0 bottom-0 z-50 max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] flex h-11 items-center justify-center gap-3 bg-warning-soft px-3 text-sm text-warning"
    >
      <p className="min-w-0 truncate">
        viewing as <strong className="font-semibold">{name}</strong>
      </p>
      <Button
        size="sm"
        loading={busy}
        onClick={() => {
          setBusy(true);
          void leave();
        }}
      >
        Exit
      </Button>
    </section>
  );
}
