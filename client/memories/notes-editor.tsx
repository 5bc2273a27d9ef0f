/**
 * The notes of a memory: shown as formatted text, edited as Markdown, saved while typing. Long notes are fetched by
 * their hash; when they are unavailable offline, the editor shows that instead of an empty text.
 */
import { Eye, PencilLine } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { addressOf } from '#shared/hash.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useBody } from '#client/replica/use-body.ts';
import { perform } from '#client/shell/perform.ts';
import type { AutosaveTarget } from '#client/memories/autosave.ts';
import { ReadingText } from '#client/memories/reading-text.tsx';
import { useAutosave } from '#client/memories/use-autosave.ts';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

interface NotesEditorProps {
  row: MemoryHead;
  editable: boolean;
  writing: boolean;
  onWriting: (writing: boolean) => void;
}

const MODES = [
  { value: 'write', label: 'Write', icon: <PencilLine /> },
  { value: 'read', label: 'Preview', icon: <Eye /> },
] as const;

async function saveNotes(id: MemoryHead['id'], text: string, baseHash: string | null) {
  const notes = text === '' ? null : text;
  const isDone = await perform(() => mutate('memory.set_notes', { id, notes, baseHash }));
  return isDone ? { version: notes === null ? null : addressOf(notes).hash } : undefined;
}

/** The editor once its text is known. */
function LoadedNotes({ row, known, editable, writing, onWriting }: NotesEditorProps & { known: KnownText }) {
  const target = useMemo(
    (): AutosaveTarget => ({
      stored: known.text,
      version: known.hash,
      save: (text, base) => saveNotes(row.id, text, base),
    }),
    [known.text, known.hash, row.id],
  );
  const notes = useAutosave(`memory/${row.id}/notes`, target);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (writing) field.current?.focus();
  }, [writing]);
  const over = notes.text.length - LIMITS.notes;
  if (!editable) return <Reading text={notes.text} />;
  return (
    <section aria-label="Notes">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h3 className="text-xs font-medium text-ink-faint">Notes</h3>
        <SegmentedControl
          label="Notes"
          options={MODES}
          value={writing ? 'write' : 'read'}
          onValueChange={(mode) => onWriting(mode === 'write')}
        />
      </div>
      {writing ? (
        <>
          <Textarea
            ref={field}
            bare
            aria-label="Notes in Markdown"
            aria-describedby={over > 0 ? 'notes-over' : undefined}
            placeholder="Write in Markdown…"
            minRows={8}
            maxRows={400}
            value={notes.text}
            onChange={(event) => notes.change(event.target.value)}
            onBlur={notes.flush}
            className="font-mono text-[0.8125rem]! leading-6 pointer-coarse:text-base!"
          />
          {over > 0 && (
            <p id="notes-over" role="alert" className="text-xs text-danger-text">
              {over.toLocaleString('en')} characters too long to be saved.
            </p>
          )}
        </>
      ) : (
        <Reading text={notes.text} onWrite={() => onWriting(true)} />
      )}
    </section>
  );
}

function Reading({ text, onWrite }: { text: string; onWrite?: () => void }) {
  if (text.trim() !== '') return <ReadingText source={text} />;
  if (!onWrite) return <p className="text-ink-faint">No notes.</p>;
  return (
    <button
      type="button"
      onClick={onWrite}
      className="w-full rounded-control border border-dashed border-line-strong px-3 py-6 text-start text-ink-faint hover:bg-hover hover:text-ink"
    >
      Add notes
    </button>
  );
}

type TextState = 'ready' | 'loading' | 'offline' | 'failed';

interface KnownText {
  id: string;
  text: string;
  hash: string | null;
}

/** The text with its version; while a newer one loads, the previous one, so that the field does not lose its focus. */
function useKnownText(row: MemoryHead): { known: KnownText | undefined; state: TextState } {
  const body = useBody(row);
  const [last, setLast] = useState<KnownText>();
  if (
    body.state === 'ready' &&
    (last?.id !== row.id || last.text !== body.text || last.hash !== row.bodyHash)
  ) {
    setLast({ id: row.id, text: body.text, hash: row.bodyHash });
  }
  return { known: last?.id === row.id ? last : undefined, state: body.state };
}

/** Chooses between the text, its skeleton and the reason why it is missing. */
export function NotesEditor(props: NotesEditorProps) {
  const { known, state } = useKnownText(props.row);
  if (known) return <LoadedNotes key={known.id} {...props} known={known} />;
  return <MissingNotes state={state} />;
}

/** The stored text, without a field and without what is still being typed elsewhere. */
export function NotesText({ row }: { row: MemoryHead }) {
  const { known, state } = useKnownText(row);
  return known ? <ReadingText source={known.text} /> : <MissingNotes state={state} />;
}

function MissingNotes({ state }: { state: TextState }) {
  if (state === 'offline' || state === 'failed') {
    return (
      <p className="rounded-card border border-line bg-sunken p-4 text-ink-muted">
        {state === 'offline'
          ? 'The full text of this memory is not on this device yet. It loads when you are online.'
          : 'Could not load the full text of this memory. Try again in a moment.'}
      </p>
    );
  }
  return (
    <SkeletonGroup label="Loading the text">
      <Skeleton className="mb-2 h-4 w-full" />
      <Skeleton className="mb-2 h-4 w-11/12" />
      <Skeleton className="h-4 w-2/3" />
    </SkeletonGroup>
  );
}
