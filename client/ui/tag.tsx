/** A label on an item, which may be removable. */
import { clsx } from 'clsx';
import { Hash, Sparkles, X } from 'lucide-react';

interface TagProps {
  name: string;
  /** A language model added it. */
  isAutomatic?: boolean;
  onRemove?: () => void;
  /** Label of the remove button; "Remove" with the name by default. */
  removeLabel?: string;
}

export function Tag({ name, isAutomatic = false, onRemove, removeLabel }: TagProps) {
  return (
    <span
      className={clsx(
        'inline-flex h-6 max-w-52 items-center gap-1 rounded-control border border-line bg-raised px-1.5 text-xs font-medium text-ink-muted',
        onRemove && 'pe-0',
      )}
    >
      {isAutomatic ? (
        <span title="Added by a language model" className="shrink-0 opacity-70">
          <Sparkles aria-hidden="true" className="size-3" />
          <span className="sr-only">Automatic: </span>
        </span>
      ) : (
        <Hash aria-hidden="true" className="size-3 shrink-0 opacity-70" />
      )}
      <span className="truncate">{name}</span>
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
