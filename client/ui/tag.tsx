/**
 * A label on an item: shown, pressed to filter, or removed.
 */
import { clsx } from 'clsx';
import { Hash, Sparkles, X } from 'lucide-react';

interface TagProps {
  name: string;
  count?: number;
  /** Pressed state of a filter; leave out for a tag that only shows. */
  selected?: boolean;
  /** A language model added it. */
  isAutomatic?: boolean;
  onPress?: () => void;
  onRemove?: () => void;
  /** Label of the remove button; "Remove" with the name by default. */
  removeLabel?: string;
}

/** A button when it can be pressed, plain text otherwise. */
export function Tag({
  name,
  count,
  selected,
  isAutomatic = false,
  onPress,
  onRemove,
  removeLabel,
}: TagProps) {
  const words = (
    <>
      {isAutomatic ? (
        <span title="Added by a language model" className="shrink-0 opacity-70">
          <Sparkles aria-hidden="true" className="size-3" />
          <span className="sr-only">Automatic: </span>
        </span>
      ) : (
        <Hash aria-hidden="true" className="size-3 shrink-0 opacity-70" />
      )}
      <span className="truncate">{name}</span>
      {count !== undefined && <span className="tabular-nums opacity-80">{count}</span>}
    </>
  );
  const shape =
    'inline-flex h-6 max-w-52 items-center gap-1 rounded-control border px-1.5 text-xs font-medium';
  const tone = selected
    ? 'border-primary bg-primary-soft text-primary'
    : 'border-line bg-raised text-ink-muted';
  if (onPress) {
    return (
      <button
        type="button"
        aria-pressed={selected ?? false}
        onClick={onPress}
        className={clsx(
          shape,
          tone,
          'transition-colors duration-fast hover:bg-hover pointer-coarse:h-11 pointer-coarse:px-3',
        )}
      >
        {words}
      </button>
    );
  }
  return (
    <span className={clsx(shape, tone, onRemove && 'pe-0')}>
      {words}
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel ?? `Remove ${name}`}
          title={removeLabel}
          onClick={onRemove}
          className="relative grid size-6 place-items-center rounded-control text-ink-faint hover:text-ink pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5"
        >
          <X aria-hidden="true" className="size-3" />
        </button>
      )}
    </span>
  );
}
