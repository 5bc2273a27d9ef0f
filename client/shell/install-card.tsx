/**
 * The quiet offer to install the application, on the home page: never over other content, dismissed with one press. install.ts
 * decides when it is shown and what it does.
 */
import { MonitorDown } from 'lucide-react';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { useStore } from '#client/shell/external-store.ts';
import { install, installOffer, INSTALL_STEPS, snoozeInstall } from '#client/shell/install.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Button } from '#client/ui/button.tsx';

/** Nothing where it cannot be installed, is installed already, or was put away. */
export function InstallCard() {
  const { way, due } = useStore(installOffer);
  if (way === 'none' || !due) return null;
  return (
    <section
      aria-label={`Install ${PRODUCT_NAME}`}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-raised px-4 py-3"
    >
      <MonitorDown aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
      <p className="min-w-0 flex-1 basis-56 text-sm text-ink-muted">
        {way === 'question' ? (
          <>
            Install {PRODUCT_NAME}: a window of its own, at hand without a network, and other apps can share
            to it.
          </>
        ) : (
          <>
            Install {PRODUCT_NAME}. {INSTALL_STEPS}
          </>
        )}
      </p>
      <div className="ms-auto flex gap-2">
        <Button size="sm" variant="ghost" onClick={snoozeInstall}>
          Not now
        </Button>
        {way === 'question' && (
          <Button size="sm" variant="primary" onClick={() => void install().catch(showProblem)}>
            Install
          </Button>
        )}
      </div>
    </section>
  );
}
