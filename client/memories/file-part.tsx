/**
 * The file of a memory: its name, kind and size, a download, and for PDF, pictures and sound the file itself. Nothing of
 * a file ever runs: what the browser cannot show as a picture or sound is only downloaded.
 */
import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import { fileKind, kindOfName } from '#shared/capture/file-kinds.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { FilePicture } from '#client/memories/file-picture.tsx';
import { loadFile } from '#client/replica/load-file.ts';
import { useFile, useSource } from '#client/replica/use-file.ts';
import { downloadFile } from '#client/shell/download-text.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';
import { bytesText } from '#client/ui/bytes-text.ts';
import { Button } from '#client/ui/button.tsx';
import { lazyPart } from '#client/ui/lazy-part.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';

interface ViewProps {
  blob: Blob;
  name: string;
}

function Loading() {
  return (
    <SkeletonGroup label="Loading the file">
      <Skeleton className="h-64 w-full" />
    </SkeletonGroup>
  );
}

const PdfView = lazyPart<ViewProps>(
  'the PDF viewer',
  async () => (await import('#client/memories/pdf-view.tsx')).PdfView,
  Loading,
);

function FileSound({ blob, name }: ViewProps) {
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- Sound that a person uploaded has no captions.
  return <audio ref={useSource(blob)} controls aria-label={name} className="w-full" />;
}

const VIEWS = { pdf: PdfView, image: FilePicture, audio: FileSound } as const;

const MISSING = {
  offline: 'This file is not on this device yet. It loads when you are online.',
  failed: 'Could not load this file. Try again in a moment.',
} as const;

function FileView({ row, view, name }: { row: MemoryHead; view: keyof typeof VIEWS; name: string }) {
  const { file, again } = useFile(row);
  const View = VIEWS[view];
  if (file.state === 'loading') return <Loading />;
  if (file.state === 'ready') return <View blob={file.blob} name={name} />;
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-muted">{MISSING[file.state]}</p>
      <Button size="sm" onClick={again}>
        Try again
      </Button>
    </div>
  );
}

function useDownload(row: MemoryHead, name: string): { busy: boolean; save: () => void } {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    save: () => {
      setBusy(true);
      loadFile(row)
        .then((file) => {
          if (file.state === 'ready') downloadFile(name, file.blob);
          else
            showToast({
              title: 'Could not download this file',
              description: MISSING[file.state],
              kind: 'warning',
            });
        })
        .catch(showProblem)
        .finally(() => setBusy(false));
    },
  };
}

/** Renders nothing for a memory that is no file. */
export function FilePart({ row }: { row: MemoryHead }) {
  const name = row.filename ?? row.title ?? 'file';
  const download = useDownload(row, name);
  if (row.type !== 'file' || row.uploadId === null) return null;
  const kind = kindOfName(name);
  const { label, view } = kind ? fileKind(kind) : { label: 'File', view: undefined };
  const { bytes } = row.metadata;
  return (
    <section aria-label="File" className="mt-5 border-t border-line pt-5">
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <FileText aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{name}</p>
          <p className="text-xs text-ink-muted">
            {label}
            {typeof bytes === 'number' && ` · ${bytesText(bytes)}`}
          </p>
        </div>
        <Button size="sm" icon={<Download />} loading={download.busy} onClick={download.save}>
          Download
        </Button>
      </div>
      {view && <FileView key={row.uploadId} row={row} view={view} name={name} />}
    </section>
  );
}
