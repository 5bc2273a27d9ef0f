/**
 * The quiet offer to install the application, below the places of the sidebar, where it moves nothing whenever the browser
 * allows it; dismissed with one press. install.ts decides when it is shown and what it does.
 */
import { PRODUCT_NAME } from '#shared/constants.ts';
import { useIsWhole } from '#client/replica/use-known.ts';
import { useStore } from '#client/shell/external-store.ts';
import { install, installOffer, INSTALL_STEPS, snoozeInstall } from '#client/shell/install.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Button } from '#client/ui/button.tsx';

/** Nothing where it cannot be installed, is installed already, or was put away. */
export function InstallCard() {
  const { way, due } = useStore(installOffer);
  // Before that, spaces may still be added above it.
  const isWhole = useIsWhole();
  if (way === 'none' || !due || !isWhole) return null;
  return (
    <section aria-label={`Install ${PRODUCT_NAME}`} className="mt-auto pt-4">
      <div className="flex flex-col gap-2 rounded-card border border-line bg-raised p-3 text-xs text-ink-muted">
        <p>
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
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="sm" variant="ghost" onClick={snoozeInstall}>
            Not now
          </Button>
          {way === 'question' && (
            <Button size="sm" variant="primary" onClick={() => void install().catch(showProblem)}>
              Install
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}
