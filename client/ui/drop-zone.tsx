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
  onFiles: (files: readonly File[]) => void;
  /** For drops that may hold folders, in place of `onFiles`. */
  onDropped?: (data: DataTransfer) => void;
}

/** Whether a drag carries files, not text or a link. */
function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files');
}

/** The whole area is the label of the input: a click anywhere opens the file dialog. */
export function DropZone({ label, hint, accept, onFiles, onDropped }: DropZoneProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(files);
  };
  const handleDrop = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setOver(false);
    if (onDropped) onDropped(event.dataTransfer);
    else take(event.dataTransfer.files);
  };
  return (
    <div
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
      className={clsx(
        'relative flex flex-col items-center gap-1 rounded-card border border-dashed px-4 py-8 text-center transition-colors duration-fast',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
        over ? 'border-primary bg-primary-soft' : 'border-line-control bg-sunk hover:border-ink-faint',
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
        multiple
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
    </div>
  );
}
