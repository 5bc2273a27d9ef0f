/**
 * The capsule one memory at a time: keep it, archive it, file it or skip it, by button, key or swipe. The position is stored on
 * this device until the next day.
 */
import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  ArrowRight,
  Check,
  FolderPlus,
  MoreHorizontal,
  Shuffle,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { CAPSULE_REST_DAYS } from '#shared/memories/limits.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { archiveMemories } from '#client/memories/actions.ts';
import { CapsuleCard } from '#client/memories/capsule-card.tsx';
import type { CapsuleReason } from '#client/memories/capsule-reason.ts';
import { keepMemory, readDeck, saveDeck, type Deck } from '#client/memories/capsule-store.ts';
import { openSpacePicker } from '#client/memories/organize-state.ts';
import { useMemoriesById, useMemoryRights } from '#client/memories/queries.ts';
import { useOpenMemory } from '#client/shell/memory-address.ts';
import { keysOf, type ShortcutId } from '#client/shell/shortcut-catalogue.ts';
import { showUndoToast } from '#client/shell/undo.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { Button } from '#client/ui/button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Kbd } from '#client/ui/kbd.tsx';
import { LiveRegion } from '#client/ui/live-region.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { Progress } from '#client/ui/progress.tsx';

interface CapsuleDeckProps {
  /** Names the day, the turn and the filters; another key is another deck. */
  deckKey: string;
  day: string;
  ids: readonly string[];
  reasonOf: (row: MemoryHead) => CapsuleReason;
  entriesOf: (row: MemoryHead) => readonly MenuEntry[];
  onShuffle: () => void;
}

/** The cards as they were when the reader began, so that archiving one moves no other. */
function useDeck(key: string, ids: readonly string[]): [Deck, (at: number) => void] {
  const [held, setHeld] = useState(() => readDeck(key));
  if (held !== undefined && held.key !== key) setHeld(readDeck(key));
  const deck = held?.key === key ? held : { key, ids, at: 0 };
  const goTo = (at: number) => {
    const next = { ...deck, at: Math.max(0, Math.min(deck.ids.length, at)) };
    saveDeck(next);
    setHeld(next);
  };
  return [deck, goTo];
}

interface ActProps {
  label: string;
  icon: ReactNode;
  shortcut: ShortcutId;
  onClick: () => void;
  primary?: boolean;
  disabled?: boolean;
}

/** For the eye; the name of a button stays its word. */
function KeyHint({ shortcut }: { shortcut: ShortcutId }) {
  return (
    <span aria-hidden="true" className="max-sm:hidden">
      <Kbd keys={keysOf(shortcut)} />
    </span>
  );
}

function Act({ label, icon, shortcut, onClick, primary = false, disabled = false }: ActProps) {
  return (
    <Button
      variant={primary ? 'primary' : 'secondary'}
      icon={icon}
      disabled={disabled}
      onClick={onClick}
      className="flex-1 sm:flex-none"
    >
      {label}
      {!primary && <KeyHint shortcut={shortcut} />}
    </Button>
  );
}

/** Shows the first card that was not passed, or that there is none left. */
export function CapsuleDeck({ deckKey, day, ids, reasonOf, entriesOf, onShuffle }: CapsuleDeckProps) {
  const [deck, goTo] = useDeck(deckKey, ids);
  const rows = useMemoriesById(deck.ids);
  const rights = useMemoryRights();
  const openMemory = useOpenMemory();
  const here = (at: number) => {
    const row = rows.find(({ id }) => id === deck.ids[at]);
    return row?.deletedAt === null ? row : undefined;
  };
  /** Deleted ones are passed over in both directions. */
  const seek = (from: number, by: 1 | -1) => {
    let at = from;
    while (at >= 0 && at < deck.ids.length && !here(at)) at += by;
    return at;
  };
  const at = seek(deck.at, 1);
  const row = here(at);
  const before = seek(at - 1, -1);
  const mayEdit = row !== undefined && rights('memory.update', row);

  const next = () => row && goTo(at + 1);
  const previous = () => before >= 0 && goTo(before);
  const keep = () => {
    if (!row) return;
    keepMemory(row.id, day);
    goTo(at + 1);
    showUndoToast(`Kept. It rests for ${CAPSULE_REST_DAYS} days.`, () => {
      keepMemory(row.id, day, false);
      goTo(at);
    });
  };
  const archive = () => {
    if (!row || !mayEdit) return;
    if (!row.archived) goTo(at + 1);
    void archiveMemories([row], !row.archived, () => goTo(at));
  };
  const file = () => row && openSpacePicker([row.id]);
  useShortcut('list.next', next);
  useShortcut('list.previous', previous);
  useShortcut('capsule.keep', keep);
  useShortcut('memory.archive', archive, { enabled: mayEdit });
  useShortcut('memory.move', file, { enabled: mayEdit });
  useShortcut('list.open', () => row && openMemory(row.id));
  useShortcut('memory.edit', () => row && openMemory(row.id, { edit: true }), { enabled: mayEdit });

  const total = deck.ids.length;
  const place = row ? `${at + 1} of ${total}` : '';
  const previousButton = before >= 0 && (
    <Button variant="ghost" icon={<ArrowLeft />} onClick={previous}>
      Previous
      <KeyHint shortcut="list.previous" />
    </Button>
  );
  return (
    <section aria-label="One at a time" className="mx-auto flex w-full max-w-3xl flex-col gap-4">
      <LiveRegion text={row ? `${place}: ${memoryTitle(row)}. ${reasonOf(row).text}` : ''} />
      {row ? (
        <>
          <div className="flex items-center gap-3 text-xs text-ink-faint">
            <Progress label="Place in the capsule" value={(at + 1) / total} />
            <span className="shrink-0 tabular-nums">{place}</span>
            <DropdownMenu
              trigger={
                <PlainIconButton
                  label={`Actions for ${memoryTitle(row)}`}
                  icon={<MoreHorizontal />}
                  size="sm"
                />
              }
              entries={entriesOf(row)}
            />
          </div>
          <CapsuleCard
            key={row.id}
            row={row}
            reason={reasonOf(row)}
            onThrow={(side) => (side === 'right' ? keep() : archive())}
          />
          <div role="toolbar" aria-label="What to do with it" className="flex flex-wrap items-center gap-2">
            <Act label="Keep" icon={<Check />} shortcut="capsule.keep" onClick={keep} />
            <Act
              label={row.archived ? 'Unarchive' : 'Archive'}
              icon={row.archived ? <ArchiveRestore /> : <Archive />}
              shortcut="memory.archive"
              onClick={archive}
              disabled={!mayEdit}
            />
            <Act
              label="File"
              icon={<FolderPlus />}
              shortcut="memory.move"
              onClick={file}
              disabled={!mayEdit}
            />
            <span className="flex flex-1 justify-end gap-2">
              {previousButton}
              <Act label="Next" icon={<ArrowRight />} shortcut="list.next" onClick={next} primary />
            </span>
          </div>
          <p className="text-center text-xs text-ink-faint pointer-fine:hidden">
            Swipe right to keep, left to archive.
          </p>
        </>
      ) : (
        <EmptyState
          title="That was today’s capsule"
          action={
            <>
              <Button variant="primary" icon={<Shuffle />} onClick={onShuffle}>
                Shuffle for more
              </Button>
              {previousButton}
            </>
          }
        >
          The next one comes tomorrow.
        </EmptyState>
      )}
    </section>
  );
}
