/**
 * The files that were chosen for the capture sheet: each with its title, to be changed before it is saved, and the ones
 * that cannot be saved with the reason.
 */
import { FileText, X } from 'lucide-react';
import { LIMITS } from '#shared/constants.ts';
import {
  clearRefused,
  pickedFiles,
  removePicked,
  retitlePicked,
  type PickedFile,
} from '#client/capture/picked-files.ts';
import { refusedMessage } from '#client/capture/take-files.ts';
import { bytesText } from '#client/ui/bytes-text.ts';
import { useStore } from '#client/shell/external-store.ts';
import { useUnsaved } from '#client/shell/unsaved.ts';
import { IconButton } from '#client/ui/icon-button.tsx';
import { Input } from '#client/ui/input.tsx';

function PickedItem({ picked: { id, file, title, remark } }: { picked: PickedFile }) {
  return (
    <li className="flex items-start gap-2.5 rounded-card border border-line py-2 ps-3 pe-1.5">
      <FileText aria-hidden="true" className="mt-2 size-4 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <Input
          aria-label={`Title of ${file.name}`}
          placeholder={file.name.slice(0, LIMITS.title)}
          maxLength={LIMITS.title}
          value={title}
          onChange={(event) => retitlePicked(id, event.target.value)}
        />
        <p className="mt-1 truncate text-xs text-ink-muted">
          {file.name} · {bytesText(file.size)}
        </p>
        {remark !== undefined && <p className="mt-0.5 text-xs text-warning">{remark}.</p>}
      </div>
      <IconButton label={`Remove ${file.name}`} icon={<X />} size="sm" onClick={() => removePicked([id])} />
    </li>
  );
}

/** Nothing while no file is chosen. */
export function PickedList() {
  const { files, refused } = useStore(pickedFiles);
  useUnsaved(files.length > 0);
  return (
    <>
      {refused.length > 0 && (
        <div
          role="alert"
          className="mt-3 flex items-start gap-2 rounded-card bg-warning-soft py-1.5 ps-3 pe-1.5 text-warning"
        >
          <p className="min-w-0 flex-1 py-0.5 break-words">{refusedMessage(refused)}</p>
          <IconButton label="Dismiss" icon={<X />} size="sm" onClick={clearRefused} />
        </div>
      )}
      {files.length > 0 && (
        <ul aria-label="Files to save" className="mt-3 flex flex-col gap-2">
          {files.map((picked) => (
            <PickedItem key={picked.id} picked={picked} />
          ))}
        </ul>
      )}
    </>
  );
}
