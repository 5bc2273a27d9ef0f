/**
 * The notes of a memory: shown as formatted text, edited as Markdown, saved while typing. Long notes are fetched by
 * their hash; when they are unavailable offline, the editor shows that instead of an empty text.
 */
import { useCallback, useMemo, useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { addressOf } from '#shared/hash.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { filesPastedIntoNote, NoteFilePicker, useNoteFiles } from '#client/capture/note-file-picker.tsx';
import { MarkdownField } from '#client/editor/markdown-field.tsx';
import { mutate } from '#client/replica/current-replica.ts';
import { useBody } from '#client/replica/use-body.ts';
import { useReader } from '#client/replica/use-query.ts';
import { perform } from '#client/shell/perform.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import type { AutosaveTarget } from '#client/memories/autosave.ts';
import { findTitles } from '#client/memories/note-titles.ts';
import { ReadingText } from '#client/memories/reading-text.tsx';
import { useReplica } from '#client/replica/replica-context.tsx';
import { useAutosave } from '#client/memories/use-autosave.ts';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Skeleton, SkeletonGroup } from '#client/ui/skeleton.tsx';
import { formatCount } from '#shared/english.ts';

interface NotesEditorProps {
  row: MemoryHead;
  editable: boolean;
  writing: boolean;
  onWriting: (writing: boolean) => void;
}

const MODES = [
  { value: 'write', label: 'Write' },
  { value: 'read', label: 'Preview' },
] as const;

interface SavedText {
  text: string;
  hash: string | null;
}

async function saveNotes(
  id: MemoryHead['id'],
  text: string,
  baseHash: string | null,
): Promise<SavedText | undefined> {
  const notes = text === '' ? null : text;
  const isDone = await perform(() => mutate('memory.set_notes', { id, notes, baseHash }));
  return isDone ? { text, hash: notes === null ? null : addressOf(notes).hash } : undefined;
}

/** The editor once its text is known. */
function LoadedNotes({
  row,
  known,
  onSaved,
  editable,
  writing,
  onWriting,
}: NotesEditorProps & { known: KnownText; onSaved: (saved: SavedText) => void }) {
  const target = useMemo(
    (): AutosaveTarget => ({
      stored: known.text,
      version: known.hash,
      async save(text, base) {
        const saved = await saveNotes(row.id, text, base);
        if (saved) onSaved(saved);
        return saved && { version: saved.hash };
      },
    }),
    [known.text, known.hash, row.id, onSaved],
  );
  const place = `memory/${row.id}/notes`;
  const notes = useAutosave(place, target);
  const { userId } = useReplica();
  const read = useReader();
  const find = useCallback(
    (typed: string) =>
      findTitles(
        read((view) => view.list('memory')),
        typed,
      ),
    [read],
  );
  const takeFiles = useNoteFiles(row.spaceId);
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
          <MarkdownField
            label="Notes in Markdown"
            describedBy="notes-over"
            placeholder="Write in Markdown…"
            focused
            value={notes.text}
            onChange={notes.change}
            onBlur={notes.flush}
            draftKey={`${place}/${userId}`}
            findTitles={find}
            takeFiles={takeFiles}
            filesOf={filesPastedIntoNote}
            onFailure={showProblem}
            tools={(take) => <NoteFilePicker isPlain onFiles={take} />}
          />
          <p id="notes-over" role="alert" className="text-xs text-danger">
            {over > 0 && `${formatCount(over)} characters too long to be saved.`}
          </p>
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

interface KnownText extends SavedText {
  id: string;
}

/**
 * The text with its version; while a newer one loads, the previous one, so that the field does not lose its focus. A text
 * that was just saved here is known at once: the one before it must not come back for a moment under the cursor.
 */
function useKnownText(row: MemoryHead) {
  const body = useBody(row);
  const [last, setLast] = useState<KnownText>();
  const [saved, setSaved] = useState<SavedText>();
  const own = saved?.hash === row.bodyHash ? saved.text : undefined;
  const text = body.state === 'ready' ? body.text : own;
  if (text !== undefined && (last?.id !== row.id || last.text !== text || last.hash !== row.bodyHash)) {
    setLast({ id: row.id, text, hash: row.bodyHash });
  }
  const state: TextState = body.state;
  return { known: last?.id === row.id ? last : undefined, state, onSaved: setSaved };
}

/** Chooses between the text, its skeleton and the reason why it is missing. */
export function NotesEditor(props: NotesEditorProps) {
  const { known, state, onSaved } = useKnownText(props.row);
  if (known) return <LoadedNotes key={known.id} {...props} known={known} onSaved={onSaved} />;
  return <MissingNotes state={state} />;
}

/** The stored text, without a field and without text still being typed elsewhere. */
export function NotesText({ row }: { row: MemoryHead }) {
  const { known, state } = useKnownText(row);
  return known ? <ReadingText source={known.text} /> : <MissingNotes state={state} />;
}

function MissingNotes({ state }: { state: TextState }) {
  if (state === 'offline' || state === 'failed') {
    return (
      <p className="rounded-card border border-line bg-sunk p-4 text-ink-muted">
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
