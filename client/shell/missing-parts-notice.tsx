/**
 * Lists the parts of the application that could not be loaded and are retried automatically. Its code is part of every
 * page, because it is needed exactly when nothing else can be fetched.
 */
import { useSyncExternalStore } from 'react';
import { buttonStyle } from '#client/ui/button-style.ts';
import { missingParts, retryMissingParts } from '#client/ui/lazy-part.tsx';

/** Rendered once in the root; the status region must exist before its first message. */
export function MissingPartsNotice() {
  const names = useSyncExternalStore(missingParts.subscribe, missingParts.get, missingParts.none);
  return (
    <output className="contents">
      {names.length > 0 && (
        <div className="fixed inset-x-0 bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom)+1rem)] z-70 mx-auto flex w-fit max-w-[calc(100vw-2rem)] items-center gap-3 rounded-card border border-line bg-raised p-3 text-sm text-ink shadow-float">
          <p className="first-letter:uppercase">
            {names.join(', ')} could not be loaded. What you see and write here stays.{' '}
            <span className="text-ink-muted">Loci retries automatically.</span>
          </p>
          <button
            type="button"
            onClick={retryMissingParts}
            className={buttonStyle({ variant: 'secondary', size: 'sm' })}
          >
            Try again
          </button>
        </div>
      )}
    </output>
  );
}
