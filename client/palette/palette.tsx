/**
 * The command palette: one field over memories, spaces, threads and every action of the app. Searches this device;
 * results that only the server has are added below without moving the selection.
 */
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import {
  useDeferredValue,
  useState,
  useCallback,
  useEffect,
  useRef,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import { useFirstSync } from '#client/replica/use-sync-status.ts';
import type { FirstSync } from '#client/replica/replica.ts';
import { useSearch, type LocalSearch } from '#client/replica/use-search.ts';
import { usePaletteActions } from '#client/palette/palette-actions.tsx';
import { PaletteGroup, type GroupProps } from '#client/palette/palette-group.tsx';
import { FoundMemories, OpenMemoryActions, RecentMemories } from '#client/palette/palette-memories.tsx';
import {
  AskRows,
  Fallbacks,
  PaletteNote,
  SpaceRows,
  TagRows,
  ThreadRows,
} from '#client/palette/palette-places.tsx';
import { namesAction } from '#client/palette/names-action.ts';
import { PaletteRow } from '#client/palette/palette-row.tsx';
import { closePalette, usePaletteState } from '#client/shell/palette-state.ts';
import { DialogOverlay } from '#client/ui/dialog.tsx';
import { useReturnFocus } from '#client/ui/use-return-focus.ts';

const REQUEST = { limit: 20, archived: 'exclude' } as const;

type Mode = 'actions' | 'spaces' | 'tags' | 'ask';

const MODES: Readonly<Record<string, Mode>> = { '>': 'actions', '/': 'spaces', '#': 'tags', '?': 'ask' };
/** A prefix and the label of its search. */
const SIGNS: readonly (readonly [sign: string, words: string])[] = [
  ['>', 'actions'],
  ['/', 'spaces'],
  ['#', 'tags'],
  ['?', 'ask'],
];
const OPERATORS = [
  'tag:',
  'space:',
  'type:',
  'title:',
  'url:',
  'before:',
  'after:',
  'is:archived',
  '"…"',
  '-',
];

/** Actions whose label contains the text: those named by it, the others, or both. */
function Actions({ text, done, which = 'all' }: GroupProps & { which?: 'named' | 'others' | 'all' }) {
  const wanted = text.toLowerCase();
  const actions = usePaletteActions().filter(({ label }) => {
    const isNamed = which !== 'all' && namesAction(text, label);
    if (which === 'named') return isNamed;
    return !isNamed && label.toLowerCase().includes(wanted);
  });
  return (['Actions', 'Go to'] as const).map((group) => {
    const rows = actions.filter((action) => action.group === group);
    if (rows.length === 0) return null;
    return (
      <PaletteGroup key={group} heading={group}>
        {rows.map((action) => (
          <PaletteRow
            key={action.id}
            value={action.id}
            icon={action.icon}
            keys={action.keys}
            onSelect={() => done(action.run)}
          >
            {action.label}
          </PaletteRow>
        ))}
      </PaletteGroup>
    );
  });
}

/** Explains why memories are missing from the rows. */
function SearchNote({
  found,
  isAnswered,
  firstSync,
}: {
  found: LocalSearch;
  isAnswered: boolean;
  firstSync: FirstSync['state'];
}) {
  if (firstSync === 'loading' || firstSync === 'opening')
    return <PaletteNote>Your memories are still downloading. You can search once they arrive.</PaletteNote>;
  if (isAnswered && found.result?.hits.length === 0)
    return <PaletteNote>No matching memories on this device.</PaletteNote>;
  if (!found.isReading) return null;
  return <PaletteNote>Still indexing your memories.</PaletteNote>;
}

/** All kinds of results, when no prefix limits the search. */
function Mixed(given: GroupProps) {
  const { text } = given;
  const found = useSearch(text, REQUEST);
  const firstSync = useFirstSync();
  if (text === '') {
    return (
      <>
        <OpenMemoryActions {...given} />
        <RecentMemories {...given} />
        <Actions {...given} />
      </>
    );
  }
  const isAnswered = found.query === text && found.isWhole;
  return (
    <>
      {/* Above the memories: the person has written out what to do. */}
      <Actions {...given} which="named" />
      <FoundMemories {...given} found={found} />
      <SearchNote found={found} isAnswered={isAnswered} firstSync={firstSync.state} />
      <SpaceRows {...given} all={false} />
      <ThreadRows {...given} />
      <OpenMemoryActions {...given} />
      <Actions {...given} which="others" />
      {/* Only once the search is done, so that a quick Enter opens a result instead of saving the words. */}
      {(isAnswered || firstSync.state !== 'ready') && <Fallbacks {...given} />}
    </>
  );
}

function Hints({
  onSign,
  onOperator,
}: {
  onSign: (sign: string) => void;
  onOperator: (word: string) => void;
}) {
  const style = 'shrink-0 rounded-control px-1 py-0.5 whitespace-nowrap hover:bg-hover hover:text-ink';
  return (
    <>
      {SIGNS.map(([sign, words]) => (
        <button key={sign} type="button" tabIndex={-1} className={style} onClick={() => onSign(sign)}>
          <span className="font-mono">{sign}</span> {words}
        </button>
      ))}
      <span aria-hidden="true" className="mx-1 h-4 w-px bg-line" />
      {/* What has no room wraps to a second line, which is hidden: no word is shown in part. */}
      <span className="flex h-6 min-w-0 flex-wrap items-center gap-0.5 overflow-hidden font-mono whitespace-nowrap *:h-6">
        {OPERATORS.map((word) => (
          <button
            key={word}
            type="button"
            tabIndex={-1}
            aria-label={`Add ${word}`}
            className={style}
            onClick={() => onOperator(word)}
          >
            {word}
          </button>
        ))}
      </span>
    </>
  );
}

/** The rows for the mode that the prefix selects. */
function Rows({ mode, ...given }: GroupProps & { mode: Mode | undefined }) {
  switch (mode) {
    case 'spaces':
      return <SpaceRows {...given} all />;
    case 'tags':
      return <TagRows {...given} />;
    case 'ask':
      return <AskRows {...given} />;
    case 'actions':
      return (
        <>
          <OpenMemoryActions {...given} />
          <Actions {...given} />
        </>
      );
    default:
      return <Mixed {...given} />;
  }
}

function Content({ start }: { start: string }) {
  const [query, setQuery] = useState(start);
  const selected = useFirstSelected();
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const mode = MODES[query.slice(0, 1)];
  const text = (mode ? query.slice(1) : query).trim();
  const change = (next: string) => {
    selected.begin();
    setQuery(next);
  };
  const done = (act: () => void) => {
    closePalette();
    act();
  };
  const insert = (next: string) => {
    change(next);
    field?.focus();
  };
  const given = { text, done };
  // The field first: people open the palette to type, and rendering all rows at once would delay the first key.
  const hasRows = useDeferredValue(true, false);
  return (
    <Command
      label="Search and commands"
      shouldFilter={false}
      loop
      {...selected.root}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4 focus-within:border-primary">
        <Search aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
        <Command.Input
          ref={setField}
          value={query}
          onValueChange={change}
          placeholder="Search memories, spaces, threads and commands"
          className="h-12 min-w-0 flex-1 bg-transparent text-base text-ellipsis outline-none sm:text-sm"
        />
      </div>
      <Command.List
        data-scroll
        {...selected.list}
        className={`max-h-[min(26rem,56dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-1.5 ${hasRows ? '' : 'h-104'}`}
      >
        {hasRows && <Rows {...given} mode={mode} />}
      </Command.List>
      <div className="flex h-9.25 items-center gap-1.5 border-t border-line px-3.5 py-1.5 text-xs text-ink-muted max-sm:hidden">
        {hasRows && (
          <Hints
            onSign={(sign) => insert(`${sign}${text}`)}
            onOperator={(word) => insert(`${text === '' ? '' : `${text} `}${word === '"…"' ? '"' : word}`)}
          />
        )}
      </div>
    </Command>
  );
}

/** Once per dashboard. */
export function Palette() {
  const { open, query } = usePaletteState();
  const focus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && closePalette()}>
      <Radix.Portal>
        <DialogOverlay isOpen={open} />
        <Radix.Content
          data-surface
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-2 top-2 z-50 mx-auto flex max-w-2xl flex-col overflow-hidden rounded-dialog bg-raised shadow-float outline-none sm:top-[12vh]"
        >
          <Radix.Title className="sr-only">Search and commands</Radix.Title>
          <Content start={query} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const MOVES = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);
/** Keys that cmdk moves with while control is held. */
const CONTROL_MOVES = new Set(['n', 'j', 'p', 'k']);

/**
 * Which row is the current one: the first, until the selection is moved; then that row, as long as it is there. Rows may
 * arrive late and in any order, so the list itself is watched instead of its causes. Enter waits for a first row. Props for
 * cmdk's root and list; `begin` starts over at the top.
 */
function useFirstSelected() {
  const [value, setValue] = useState('');
  const hasMoved = useRef(false);
  const hasEntered = useRef(false);
  const [list, setList] = useState<HTMLElement | null>(null);

  const choose = useCallback(() => {
    const items = [...(list?.querySelectorAll<HTMLElement>('[cmdk-item]') ?? [])];
    const values = items.map((item) => item.dataset['value'] ?? '');
    setValue((current) => (hasMoved.current && values.includes(current) ? current : (values[0] ?? '')));
    const [first] = items;
    if (!hasEntered.current || !first) return;
    hasEntered.current = false;
    first.click();
  }, [list]);

  useEffect(() => {
    if (!list) return undefined;
    choose();
    const observer = new MutationObserver(choose);
    observer.observe(list, { childList: true, subtree: true, attributeFilter: ['data-value'] });
    return () => observer.disconnect();
  }, [list, choose]);

  const onKeyDown = (event: KeyboardEvent) => {
    // The rows are rendered after the field and the search have changed: Enter opens the row that will be first.
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing;
    hasEntered.current = isEnter && list?.querySelector('[cmdk-item][aria-selected="true"]') === null;
    if (hasEntered.current) choose();
    if (MOVES.has(event.key) || (event.ctrlKey && CONTROL_MOVES.has(event.key))) hasMoved.current = true;
  };
  // Rows appearing under a resting pointer also make events, without any movement.
  const onPointerMove = (event: PointerEvent) => {
    if (event.movementX !== 0 || event.movementY !== 0) hasMoved.current = true;
  };
  return {
    root: {
      value,
      onKeyDownCapture: onKeyDown,
      onValueChange: (next: string) => {
        if (hasMoved.current) setValue(next);
      },
    },
    list: { ref: setList, onPointerMoveCapture: onPointerMove },
    begin: () => {
      hasMoved.current = false;
      hasEntered.current = false;
      choose();
    },
  };
}
