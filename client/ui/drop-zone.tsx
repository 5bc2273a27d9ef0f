/**
 * A place for files: dropped, chosen or pasted by the keyboard user through the same native input.
 * Hands the files over and judges only their type and size.
 */
import { clsx } from 'clsx';
import { Upload } from 'lucide-react';
import { useId, useState, type DragEvent, type ReactNode } from 'react';

interface DropZoneProps {
  label: string;
  hint?: ReactNode;
  /** As in the `accept` attribute of a file input. */
  accept?: string;
  multiple?: boolean;
  disabled?: boolean;
  onFiles: (files: readonly File[]) => void;
  className?: string;
}

/** Whether a drag carries files, not text or a link. */
function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files');
}

/** The whole area is the label of the input: a click anywhere opens the file dialog. */
export function DropZone({
  label,
  hint,
  accept,
  multiple = true,
  disabled = false,
  onFiles,
  className,
}: DropZoneProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  const handleDrop = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setOver(false);
    if (!disabled) take(event.dataTransfer.files);
  };
  return (
    <div
      onDragOver={(event) => {
        if (!carriesFiles(event) || disabled) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
      className={clsx(
        'relative flex flex-col items-center gap-1 rounded-card border border-dashed px-4 py-8 text-center transition-colors duration-fast',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
        over ? 'border-primary bg-primary-soft' : 'border-line-control bg-sunk',
        disabled ? 'opacity-55' : 'hover:border-ink-faint',
        className,
      )}
    >
      <Upload aria-hidden="true" className="mb-1 size-5 text-ink-faint" />
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {hint !== undefined && (
        <span id={`${id}-hint`} className="text-xs text-ink-muted">
          {hint}
        </span>
      )}
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
    </div>
  );
}
