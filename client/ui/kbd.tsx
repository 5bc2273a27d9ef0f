/**
 * Key caps for a shortcut, readable by eye and by ear.
 * Draws keys; never listens to them.
 */
import { clsx } from 'clsx';
import { Fragment, useSyncExternalStore } from 'react';
import { isApplePlatform, keyCaps, spokenKeys } from '#client/ui/key-names.ts';

const never = () => () => undefined;

/** Shows a binding in tinykeys syntax; `onDark` for the inverse surface of tooltips. */
export function Kbd({
  keys,
  onDark = false,
  className,
}: {
  keys: string;
  onDark?: boolean;
  className?: string;
}) {
  const apple = useSyncExternalStore(never, isApplePlatform, () => false);
  const cap = clsx(
    'inline-flex h-5 min-w-5 items-center justify-center rounded-md px-1 font-sans text-xs font-medium',
    onDark ? 'bg-ink-inverse/20 text-ink-inverse' : 'border border-line bg-sunk text-ink-muted',
  );
  return (
    <span className={clsx('inline-flex shrink-0 items-center gap-1', className)}>
      <span className="sr-only">{spokenKeys(keys, apple)}</span>
      {keyCaps(keys, apple).map((press, index) => (
        <Fragment key={`${press.join('+')}-${index}`}>
          {index > 0 && (
            <span
              aria-hidden="true"
              className={clsx('text-xs', onDark ? 'text-ink-inverse' : 'text-ink-faint')}
            >
              then
            </span>
          )}
          <span aria-hidden="true" className="inline-flex gap-0.5">
            {press.map((name) => (
              <kbd key={name} className={cap}>
                {name}
              </kbd>
            ))}
          </span>
        </Fragment>
      ))}
    </span>
  );
}
