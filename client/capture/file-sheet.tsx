/**
 * The files that the server does not have yet: how far each is, and for refused ones the reason and what can be done.
 */
import { Download, RefreshCw } from 'lucide-react';
import { fileSentence } from '#client/capture/file-messages.ts';
import { fileQueue } from '#client/capture/open-file-queue.ts';
import { waitingFiles, type WaitingFile } from '#client/replica/waiting-files.ts';
import { bytesText } from '#client/ui/bytes-text.ts';
import { downloadFile } from '#client/shell/download-text.ts';
import { useStore } from '#client/shell/external-store.ts';
import { fileSheet } from '#client/shell/file-sheet-state.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { perform } from '#client/shell/perform.ts';
import { Button } from '#client/ui/button.tsx';
import { Progress } from '#client/ui/progress.tsx';
import { Sheet } from '#client/ui/sheet.tsx';

function saveCopy({ id, name }: WaitingFile): void {
  const file = fileQueue().find(id);
  if (file) downloadFile(name, file.blob);
}

function FileItem({ file, isOnline }: { file: WaitingFile; isOnline: boolean }) {
  const { id, name, title, bytes, state, sent } = file;
  return (
    <li className="rounded-card border border-line p-3">
      <p className="font-medium break-words">{title}</p>
      <p className="mt-0.5 text-xs break-words text-ink-muted">
        {name === title ? '' : `${name} · `}
        {bytesText(bytes)}
      </p>
      <p className={`mt-1.5 text-xs ${state === 'refused' ? 'text-warning' : 'text-ink-muted'}`}>
        {fileSentence(file, isOnline)}
      </p>
      {(state === 'sending' || sent > 0) && (
        <div className="mt-2">
          <Progress label={`Upload of ${name}`} value={sent} />
        </div>
      )}
      <div className="mt-2.5 flex flex-wrap gap-1.5 empty:hidden">
        {state === 'refused' && (
          <>
            <Button size="sm" icon={<RefreshCw />} onClick={() => void perform(() => fileQueue().retry(id))}>
              Try again
            </Button>
            <Button size="sm" variant="ghost" icon={<Download />} onClick={() => saveCopy(file)}>
              Download
            </Button>
          </>
        )}
        {state !== 'sending' && (
          <Button size="sm" variant="quietDanger" onClick={() => void perform(() => fileQueue().discard(id))}>
            Discard
          </Button>
        )}
      </div>
    </li>
  );
}

/** Once per dashboard. */
export function FileSheet() {
  const open = useStore(fileSheet);
  const files = useStore(waitingFiles);
  const isOnline = useIsOnline();
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => fileSheet.set(next)}
      title="Files to upload"
      description={
        files.length === 0
          ? 'Every file is uploaded.'
          : 'These files are on this device. They upload by themselves when there is a connection.'
      }
    >
      <ul aria-label="Files to upload" className="flex flex-col gap-2">
        {files.map((file) => (
          <FileItem key={file.id} file={file} isOnline={isOnline} />
        ))}
      </ul>
    </Sheet>
  );
}
