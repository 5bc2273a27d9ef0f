/**
 * The command palette: one field over memories, spaces, threads and everything the app can do.
 * Answers from this device; what only the server knows joins below without moving the selection.
 */
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useDeferredValue, useState } from 'react';
import { useFirstSync } from '#client/replica/use-sync-status.ts';
import type { FirstSync } from '#client/replica/replica.ts';
import { useSearch, type LocalSearch } from '#client/replica/use-search.ts';
import { usePaletteActions } from '#client/palette/palette-actions.tsx';
import { PaletteGroup, type GroupProps } from '#client/palette/palette-group.tsx';
import { FoundMemories, OpenMemoryActs, RecentMemories } from '#client/palette/palette-memories.tsx';
import {
  AskRows,
  Fallbacks,
  PaletteNote,
  SpaceRows,
  TagRows,
  ThreadRows,
} from '#client/palette/palette-places.tsx';
import { PaletteRow } from '#client/palette/palette-row.tsx';
import { Rehearsal } from '#client/palette/rehearsal.tsx';
import { useFirstSelected } from '#client/palette/use-first-selected.ts';
import { closePalette, usePaletteState } from '#client/shell/palette-state.ts';
import { DialogOverlay } from '#client/ui/dialog.tsx';
import { useReturnFocus } from '#client/ui/use-return-focus.ts';

const REQUEST = { limit: 20, archived: 'exclude' } as const;

type Mode = 'actions' | 'spaces' | 'tags' | 'ask';

const MODES: Readonly<Record<string, Mode>> = { '>': 'actions', '/': 'spaces', '#': 'tags', '?': 'ask' };
/** Sign, words and what the field asks for. */
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

function Actions({ text, done }: GroupProps) {
  const wanted = text.toLowerCase();
  const actions = usePaletteActions().filter(({ label }) => label.toLowerCase().includes(wanted));
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

/** Says why there are no memories among the rows, or not all of them yet. */
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
    return (
      <PaletteNote>
        Your memories are still on their way to this device. Words are found after that.
      </PaletteNote>
    );
  if (isAnswered && found.result?.hits.length === 0)
    return <PaletteNote>No memory on this device has these words.</PaletteNote>;
  if (!found.isReading) return null;
  return <PaletteNote>Still searching: your memories are being read.</PaletteNote>;
}

/** Everything at once, when no sign says where to look. */
function Mixed(given: GroupProps) {
  const { text } = given;
  const found = useSearch(text, REQUEST);
  const firstSync = useFirstSync();
  if (text === '') {
    return (
      <>
        <OpenMemoryActs {...given} />
        <RecentMemories {...given} />
        <Actions {...given} />
      </>
    );
  }
  const isAnswered = found.query === text && found.isWhole;
  return (
    <>
      <FoundMemories {...given} found={found} />
      <SearchNote found={found} isAnswered={isAnswered} firstSync={firstSync.state} />
      <SpaceRows {...given} all={false} />
      <ThreadRows {...given} />
      <OpenMemoryActs {...given} />
      <Actions {...given} />
      {/* After the answer, so that a quick Enter opens what was found instead of saving the words. */}
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
      {/* What has no room goes to a second line, which is cut off: no word is shown in part. */}
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

/** What the sign in front of the words asks for. */
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
          <OpenMemoryActs {...given} />
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
  // The field first: whoever opens the palette types, and drawing everything at once would keep the first key waiting.
  const hasRows = useDeferredValue(true, false);
  return (
    <Command
      label="Search and commands"
      shouldFilter={false}
      loop
      {...selected.root}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4 focus-within:border-focus">
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
      <Rehearsal>
        <Content start="" />
      </Rehearsal>
      <Radix.Portal>
        <DialogOverlay />
        <Radix.Content
          data-surface
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-2 top-2 z-50 mx-auto flex max-w-2xl flex-col overflow-hidden rounded-dialog bg-raised shadow-dialog outline-none sm:top-[12vh]"
        >
          <Radix.Title className="sr-only">Search and commands</Radix.Title>
          <Content start={query} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
