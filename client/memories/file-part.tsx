/**
 * The file of a memory: its name, kind and size, a download, and for PDF, pictures and sound the file itself. No script in a
 * file ever runs: a file that the browser cannot show as picture or sound is only downloaded.
 */
import { Download, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { fileKind, kindOfName } from '#shared/capture/file-kinds.ts';
import { lengthText } from '#shared/capture/length-text.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { FilePicture } from '#client/memories/file-picture.tsx';
import { loadFile } from '#client/replica/load-file.ts';
import { useFile, useSource } from '#client/replica/use-file.ts';
import { usePreview } from '#client/replica/use-preview.ts';
import { downloadFile } from '#client/shell/download-text.ts';
import { showToast } from '#client/shell/toasts.ts';
import { useBusy } from '#client/shell/use-busy.ts';
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

const PdfView = lazyPart<ViewProps & { waiting: ReactNode }>(
  'the PDF viewer',
  async () => (await import('#client/memories/pdf-view.tsx')).PdfView,
  ({ waiting }) => waiting,
);

/** The size of a picture in dots, and for a PDF the shape of its first page. */
function dotsOf({ metadata: { width, height } }: MemoryHead) {
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined;
}

/** The first page in small, where the pages will be. */
function FirstPage({ row, blob, name }: ViewProps & { row: MemoryHead }) {
  return (
    <div className="rounded-card bg-sunk p-2">
      <img ref={useSource(blob)} alt={`First page of ${name}`} {...dotsOf(row)} className="h-auto w-full" />
    </div>
  );
}

function FileSound({ blob, name }: ViewProps) {
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- Sound that a person uploaded has no captions.
  return <audio ref={useSource(blob)} controls aria-label={name} className="w-full" />;
}

const MISSING = {
  offline: 'This file is not on this device yet. It loads when you are online.',
  failed: 'Could not load this file. Try again in a moment.',
} as const;

interface FileViewProps {
  row: MemoryHead;
  view: 'image' | 'pdf' | 'audio';
  name: string;
}

/** The file, or its preview until it is here. */
function Shown({ row, view, name, blob }: FileViewProps & { blob: Blob | undefined }) {
  const preview = usePreview(row);
  if (view === 'image') {
    const picture = blob ?? preview;
    return picture ? <FilePicture blob={picture} name={name} dots={dotsOf(row)} /> : null;
  }
  if (view === 'audio') return blob ? <FileSound blob={blob} name={name} /> : null;
  const firstPage = preview && <FirstPage row={row} blob={preview} name={name} />;
  return blob ? <PdfView blob={blob} name={name} waiting={firstPage ?? <Loading />} /> : firstPage;
}

function FileView({ row, view, name }: FileViewProps) {
  const { file, again } = useFile(row);
  const hasPreview = usePreview(row) !== undefined && view !== 'audio';
  if (file.state === 'loading' && !hasPreview) return <Loading />;
  return (
    <>
      <Shown row={row} view={view} name={name} blob={file.state === 'ready' ? file.blob : undefined} />
      {(file.state === 'offline' || file.state === 'failed') && (
        <div className="mt-2 flex flex-col items-start gap-2 first:mt-0">
          <p className="text-ink-muted">{MISSING[file.state]}</p>
          <Button size="sm" onClick={again}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}

function useDownload(row: MemoryHead, name: string): { busy: boolean; save: () => void } {
  const { busy, run } = useBusy();
  const load = async () => {
    const file = await loadFile(row);
    if (file.state === 'ready') return downloadFile(name, file.blob);
    const description = MISSING[file.state];
    showToast({ title: 'Could not download this file', description, kind: 'warning' });
  };
  return { busy, save: () => void run(load) };
}

/** Renders nothing for a memory that is no file. */
export function FilePart({ row }: { row: MemoryHead }) {
  const name = row.filename ?? row.title ?? 'file';
  const download = useDownload(row, name);
  if (row.type !== 'file' || row.uploadId === null) return null;
  const kind = kindOfName(name);
  const { label, view } = kind ? fileKind(kind) : { label: 'File', view: undefined };
  const { bytes, seconds, pages, pagesRead } = row.metadata;
  return (
    <section aria-label="File" className="mt-5 border-t border-line pt-5">
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <FileText aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{name}</p>
          <p className="text-xs text-ink-muted">
            {label}
            {typeof seconds === 'number' && ` · ${lengthText(seconds)}`}
            {typeof bytes === 'number' && ` · ${bytesText(bytes)}`}
            {typeof pagesRead === 'number' &&
              `. Search and answers know the first ${pagesRead} of ${String(pages)} pages.`}
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
