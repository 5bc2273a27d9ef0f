/**
 * Key caps for a shortcut, readable by eye and by ear.
 * Draws keys; never listens to them.
 */
import { clsx } from 'clsx';
import { Fragment, useSyncExternalStore } from 'react';
import { isApplePlatform, keyCaps, spokenKeys } from '#client/ui/key-names.ts';

const never = () => () => undefined;

interface KbdProps {
  /** In tinykeys syntax. */
  keys: string;
  /** For the inverse surface of tooltips. */
  onDark?: boolean;
  /** Also where a finger is the pointer, which usually means that there are no keys to press. */
  onTouch?: boolean;
  className?: string;
}

/** A hint beside what the keys do. */
export function Kbd({ keys, onDark = false, onTouch = false, className }: KbdProps) {
  const apple = useSyncExternalStore(never, isApplePlatform, () => false);
  const cap = clsx(
    'inline-flex h-5 min-w-5 items-center justify-center rounded-md px-1 font-sans text-xs font-medium',
    onDark ? 'bg-ink-inverse/20 text-ink-inverse' : 'border border-line bg-sunk text-ink-muted',
  );
  return (
    <span
      className={clsx(
        'inline-flex shrink-0 items-center gap-1',
        !onTouch && 'pointer-coarse:hidden',
        className,
      )}
    >
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
