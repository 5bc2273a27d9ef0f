/**
 * Files in notes: pictures inline, everything else as a link that opens the file. They load when they are near the visible
 * part, and from this device when they were opened here before.
 */
import { Paperclip } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { fileKind, kindOfName } from '#shared/capture/file-kinds.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { MemoryLink } from '#client/memories/memory-link.tsx';
import { useFile, useSource } from '#client/replica/use-file.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { waitingFiles, type WaitingFile } from '#client/replica/waiting-files.ts';
import { useStore } from '#client/shell/external-store.ts';
import type { DrawMemory, TextMemory } from '#client/ui/text-references.ts';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { useIsNear } from '#client/ui/use-is-near.ts';

/** Distance in pixels at which a picture begins to load. */
const AHEAD = 600;

const STATES = {
  offline: 'not on this device yet',
  failed: 'could not be loaded',
  broken: 'cannot be shown',
} as const;

interface PictureProps {
  row: MemoryHead;
  words: string;
}

/** Words and a link in place of a picture. */
function FileLine({ row, words, state }: PictureProps & { state?: keyof typeof STATES }) {
  return (
    <span className="inline-flex items-baseline gap-1">
      <Paperclip aria-hidden="true" className="inline size-3.5 shrink-0 self-center" />
      <span>
        <MemoryLink id={row.id}>{words}</MemoryLink>
        {state && <span className="text-ink-muted"> ({STATES[state]})</span>}
      </span>
    </span>
  );
}

function LoadedPicture({ blob, row, words }: PictureProps & { blob: Blob }) {
  const source = useSource(blob);
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return <FileLine row={row} words={words} state="broken" />;
  return (
    <MemoryLink id={row.id} className="inline-block max-w-full">
      <img
        ref={source}
        alt={words}
        onError={() => setIsBroken(true)}
        className="my-0! max-h-[70dvh] max-w-full rounded-control"
      />
    </MemoryLink>
  );
}

function LoadingPicture({ row, words }: PictureProps) {
  const { file } = useFile(row);
  if (file.state === 'ready') return <LoadedPicture blob={file.blob} row={row} words={words} />;
  if (file.state === 'loading') return <Waiting row={row} />;
  return <FileLine row={row} words={words} state={file.state} />;
}

/** As large as the picture will be, where that is known. */
function Waiting({ row: { metadata } }: { row: MemoryHead }) {
  const { width, height } = metadata;
  const isKnown = typeof width === 'number' && typeof height === 'number';
  return (
    <span
      className="block max-h-[70dvh] max-w-full"
      style={isKnown ? { width, aspectRatio: `${width} / ${height}` } : { height: '8rem' }}
    >
      <Skeleton className="size-full" />
    </span>
  );
}

function NotePicture({ row, words }: PictureProps) {
  const [ref, isNear] = useIsNear(AHEAD);
  const [wasNear, setWasNear] = useState(false);
  if (isNear && !wasNear) setWasNear(true);
  if (wasNear) return <LoadingPicture row={row} words={words} />;
  return (
    <span ref={ref} className="block">
      <Waiting row={row} />
    </span>
  );
}

/** A file that the server does not have yet, from this device. */
function WaitingNoteFile({ file: { name, blob, state }, words }: { file: WaitingFile; words: string }) {
  const source = useSource(blob);
  const [isBroken, setIsBroken] = useState(false);
  const kind = kindOfName(name);
  const isPicture = kind !== undefined && fileKind(kind).view === 'image' && !isBroken;
  return (
    <span className="inline-block max-w-full">
      {isPicture && (
        <img
          ref={source}
          alt={words}
          onError={() => setIsBroken(true)}
          className="my-0! max-h-[70dvh] max-w-full rounded-control"
        />
      )}
      <span className="flex items-center gap-1 text-ink-muted">
        <Paperclip aria-hidden="true" className="size-3.5 shrink-0" />
        {words} ({state === 'refused' ? 'not uploaded' : 'waiting to be uploaded'})
      </span>
    </span>
  );
}

interface NoteFileProps extends TextMemory {
  children: ReactNode;
}

function NoteFile({ id, isShown, words, children }: NoteFileProps) {
  const row = useQuery((view) => view.get('memory', id), [id]);
  const waiting = useStore(waitingFiles).find((file) => file.id === id);
  if (row === undefined && waiting !== undefined)
    return <WaitingNoteFile file={waiting} words={words === '' ? waiting.name : words} />;
  if (row === undefined) {
    return (
      <span>
        {children} <span className="text-ink-muted">(not available)</span>
      </span>
    );
  }
  if (!isShown) return <MemoryLink id={id}>{children}</MemoryLink>;
  const kind = row.type === 'file' && row.filename !== null ? kindOfName(row.filename) : undefined;
  const isPicture = kind !== undefined && fileKind(kind).view === 'image';
  const name = words === '' ? (row.filename ?? row.title ?? 'File') : words;
  return isPicture ? <NotePicture row={row} words={name} /> : <FileLine row={row} words={name} />;
}

/** How notes show the memories that their addresses name. */
export const drawMemory: DrawMemory = ({ id, isShown, words }, children) => (
  <NoteFile id={id} isShown={isShown} words={words}>
    {children}
  </NoteFile>
);
