/**
 * The viewer and editor of one memory over any dashboard page, named by `?memory=` in the address. Full screen on
 * phones; closing returns to the page where it was opened and restores the focus to the item. In a wide window a memory that
 * is cited is read beside the page instead.
 */
import { clsx } from 'clsx';
import { Dialog as Radix } from 'radix-ui';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { isId } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { archiveMemories, removeMemories, restoreMemories } from '#client/memories/actions.ts';
import { AutomaticSummary } from '#client/memories/automatic-summary.tsx';
import { ConnectionsPart } from '#client/memories/connections-part.tsx';
import { FilePart } from '#client/memories/file-part.tsx';
import { MemoryAside } from '#client/memories/memory-aside.tsx';
import { MemoryFields } from '#client/memories/memory-fields.tsx';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { MemoryToolbar } from '#client/memories/memory-toolbar.tsx';
import { PageText } from '#client/memories/page-text.tsx';
import { NotesEditor } from '#client/memories/notes-editor.tsx';
import { openHomePicker, openSpacePicker, openTagPicker } from '#client/memories/organize-state.ts';
import { useMemory, useMemoryRights } from '#client/memories/queries.ts';
import { useMemoryLookup } from '#client/memories/use-memory-lookup.ts';
import { ReadingBeside } from '#client/memories/reading-pane.tsx';
import { ReadingScroll } from '#client/memories/reading-scroll.tsx';
import { useWideWindow } from '#client/memories/use-wide-window.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';
import {
  memoryInSearch,
  passageInSearch,
  readMemoryState,
  useCloseMemory,
} from '#client/shell/memory-address.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog, DialogOverlay } from '#client/ui/dialog.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { PopLayer, PopLayerEnd } from '#client/ui/pop-layer.tsx';
import { closeOnEscape } from '#client/ui/close-on-escape.ts';
import { useReturnFocus } from '#client/ui/use-return-focus.ts';

/** Whether the right pane is collapsed, stored in this browser. */
const ASIDE = 'loci-memory-aside';
/** Whether the viewer fills the window, stored in this browser. */
const FULL = 'loci-memory-full';

/** Room for the sidebar, a thread and a memory beside it, in CSS pixels. */
const BESIDE = 1_400;

const FRAME =
  'fixed inset-0 z-50 flex flex-col bg-raised pt-[env(safe-area-inset-top)] shadow-float outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in';
const CARD =
  'sm:inset-x-4 sm:top-[6dvh] sm:bottom-auto sm:mx-auto sm:max-h-[88dvh] sm:min-h-[min(34rem,88dvh)] sm:max-w-[62rem] sm:rounded-dialog sm:pt-0 sm:data-[state=closed]:animate-pop-out sm:data-[state=open]:animate-pop-in';

interface MemoryViewProps {
  row: MemoryHead;
  startWriting: boolean;
  full: boolean;
  onFull: () => void;
  close: () => void;
}

function DeletedNotice({ row, mayRestore }: { row: MemoryHead; mayRestore: boolean }) {
  return (
    <div className="mb-5 flex flex-wrap items-center gap-3 rounded-card bg-warning-soft px-3 py-2 text-warning">
      <span className="flex-1">This memory was deleted. It can be restored for {TRASH_DAYS} days.</span>
      {mayRestore && (
        <Button size="sm" onClick={() => void restoreMemories([row])}>
          Restore
        </Button>
      )}
    </div>
  );
}

/** The open memory. */
function MemoryView({ row, startWriting, full, onFull, close }: MemoryViewProps) {
  const rights = useMemoryRights();
  const editable = row.deletedAt === null && rights('memory.update', row);
  const isEmpty = row.bodyHash === null;
  // An empty note opens for writing.
  const [writing, setWriting] = useState(startWriting || (isEmpty && row.type === 'note'));
  const [aside, setAside] = useState(readSetting(ASIDE) !== 'closed');
  const toggleAside = () => {
    writeSetting(ASIDE, aside ? 'closed' : undefined);
    setAside(!aside);
  };
  useShortcut('pane.end', toggleAside, { inDialog: true });
  useShortcut('memory.full', onFull, { inDialog: true });
  useShortcut('memory.edit', () => setWriting(true), { inDialog: true, enabled: editable && !writing });
  useShortcut('memory.archive', () => void archiveMemories([row], !row.archived), {
    inDialog: true,
    enabled: editable,
  });
  useShortcut('memory.tags', () => openTagPicker([row.id]), { inDialog: true, enabled: editable });
  useShortcut('memory.move', () => openSpacePicker([row.id]), { inDialog: true, enabled: editable });
  useShortcut('memory.home', () => openHomePicker([row.id]), {
    inDialog: true,
    enabled: row.deletedAt === null && rights('memory.move', row),
  });
  useShortcut(
    'memory.remove',
    () => {
      close();
      void removeMemories([row]);
    },
    { inDialog: true, enabled: row.deletedAt === null && rights('memory.remove', row) },
  );
  return (
    <>
      <MemoryToolbar row={row} full={full} onFull={onFull} onGone={close} />
      <ReadingScroll memoryId={row.id} className="min-h-0 flex-1 overflow-y-auto">
        <div
          className={clsx(
            'mx-auto grid gap-8 px-5 py-5 sm:px-8 sm:py-7',
            full && 'max-w-6xl sm:py-8',
            aside && 'md:grid-cols-[minmax(0,1fr)_14rem]',
          )}
        >
          <div className="min-w-0">
            {row.deletedAt !== null && <DeletedNotice row={row} mayRestore={rights('memory.remove', row)} />}
            <MemoryFields row={row} editable={editable} />
            <AutomaticSummary row={row} editable={editable} />
            <div className="mt-5">
              <NotesEditor row={row} editable={editable} writing={writing} onWriting={setWriting} />
            </div>
            <FilePart row={row} />
            <PageText row={row} />
            <ConnectionsPart row={row} />
          </div>
          {aside && <MemoryAside row={row} editable={editable} />}
        </div>
      </ReadingScroll>
    </>
  );
}

/** Shown when an address names no memory of this workspace. */
function MemoryNotFound({ close }: { close: () => void }) {
  return (
    <Dialog open onOpenChange={close} title="Memory not found" size="sm" hideTitle>
      <EmptyState
        title="Memory not found"
        action={
          <Button variant="primary" onClick={close}>
            Close
          </Button>
        }
        className="py-6"
      >
        It was permanently deleted, or the link belongs to another workspace.
      </EmptyState>
    </Dialog>
  );
}

/** Shown while a memory has not arrived yet, so that it does not look lost. */
function MemoryOnTheWay({ close, offline }: { close: () => void; offline: boolean }) {
  return (
    <Dialog
      open
      onOpenChange={close}
      size="sm"
      title={offline ? 'Not on this device yet' : 'Loading memory'}
      description={
        offline
          ? 'This memory is not on this device. It opens when you are online.'
          : 'This memory is still downloading and opens when it arrives.'
      }
      actions={<Button onClick={close}>Close</Button>}
    />
  );
}

/** Once per dashboard. */
export function MemoryModal() {
  const { search, state } = useLocation();
  const id = memoryInSearch(search);
  const row = useMemory(id !== undefined && isId('memory', id) ? id : undefined);
  const lookup = useMemoryLookup(id, row !== undefined);
  const close = useCloseMemory();
  const isBeside = useWideWindow(BESIDE) && passageInSearch(search) !== undefined;
  const [last, setLast] = useState<string>();
  const [full, setFull] = useState(readSetting(FULL) === 'full');
  const toggleFull = () => {
    writeSetting(FULL, full ? undefined : 'full');
    setFull(!full);
  };
  if (id !== undefined && id !== last) setLast(id);
  const focus = useReturnFocus();
  const handleCloseFocus = (event: Event) => {
    focus.onCloseAutoFocus(event);
    // The item may have been rendered again, or another memory was opened from inside.
    const item = `[data-item="${CSS.escape(last ?? '')}"]`;
    const target = document.querySelector<HTMLElement>(item);
    if (!target || document.activeElement?.matches(item) === true) return;
    event.preventDefault();
    target.focus({ preventScroll: true });
  };
  if (lookup === 'missing') return <MemoryNotFound close={close} />;
  if (lookup !== 'here') return <MemoryOnTheWay close={close} offline={lookup === 'offline'} />;
  if (isBeside && row) return <ReadingBeside key={row.id} row={row} close={close} />;
  return (
    <Radix.Root open={row !== undefined} onOpenChange={close}>
      <Radix.Portal>
        <DialogOverlay isOpen={row !== undefined} />
        <Radix.Content
          data-surface
          {...focus}
          onOpenAutoFocus={(event) => {
            // The memory itself, not its first button, so that no tooltip opens and keys of the viewer work at once.
            event.preventDefault();
            if (event.target instanceof HTMLElement) event.target.focus();
          }}
          onCloseAutoFocus={handleCloseFocus}
          {...closeOnEscape(close)}
          aria-describedby={undefined}
          className={clsx(FRAME, !full && CARD)}
        >
          {row && (
            <PopLayer>
              <Radix.Title className="sr-only">{memoryTitle(row)}</Radix.Title>
              <MemoryView
                key={row.id}
                row={row}
                full={full}
                onFull={toggleFull}
                startWriting={readMemoryState(state)?.edit === true}
                close={close}
              />
              <PopLayerEnd />
            </PopLayer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
