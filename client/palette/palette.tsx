/**
 * The command palette: one field over memories, spaces, threads and everything the app can do.
 * Answers from this device; what only the server knows joins below without moving the selection.
 */
import { Command } from 'cmdk';
import { CornerDownLeft, Globe, MessagesSquare, Search, StickyNote, Tag } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { useSearch } from '#client/replica/use-search.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { KindIcon } from '#client/memories/memory-kind.tsx';
import { memoryExcerpt, memoryTitle } from '#client/memories/memory-text.ts';
import { useMemoriesById, useTagCounts } from '#client/memories/queries.ts';
import { usePaletteActions } from '#client/palette/palette-actions.tsx';
import { Marked, PaletteRow } from '#client/palette/palette-row.tsx';
import { useServerHits } from '#client/palette/use-server-hits.ts';
import { useOpenMemory } from '#client/shell/memory-address.ts';
import { openModal } from '#client/shell/modals.ts';
import { closePalette, usePaletteState } from '#client/shell/palette-state.ts';
import { SpaceDot } from '#client/spaces/space-dot-card.tsx';
import { useSpaces } from '#client/spaces/queries.ts';
import { startThread } from '#client/threads/actions.ts';
import { useThreads } from '#client/threads/queries.ts';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { DialogOverlay } from '#client/ui/dialog.tsx';
import { useReturnFocus } from '#client/ui/use-return-focus.ts';

const RECENT = 6;
const SHOWN = 8;
const REQUEST = { limit: 20, archived: 'exclude' } as const;
const MODES: Readonly<Record<string, 'actions' | 'spaces' | 'tags' | 'ask'>> = {
  '>': 'actions',
  '/': 'spaces',
  '#': 'tags',
  '?': 'ask',
};
const GROUP =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-faint';

interface GroupProps {
  text: string;
  done: (act: () => void) => void;
}

function Memories({ text, done }: GroupProps) {
  const openMemory = useOpenMemory();
  const found = useSearch(text, REQUEST);
  const recent = useQuery(
    (view) =>
      view
        .list('memory')
        .filter((row) => !row.archived)
        .slice(0, RECENT),
    [],
  );
  const hitIds = found.result?.hits.map(({ id }) => id).join(' ') ?? '';
  const [ids, setIds] = useState<readonly string[]>([]);
  if (hitIds !== ids.join(' ')) setIds(hitIds === '' ? [] : hitIds.split(' '));
  const hits = useMemoriesById(ids);
  const rows = text === '' ? recent : hits;
  const beyond = useServerHits(text).filter(({ id }) => !ids.includes(id));
  const words = text === '' ? undefined : found.result?.highlight;
  return (
    <>
      {rows.length > 0 && (
        <Command.Group heading={text === '' ? 'Recent' : 'Memories'} className={GROUP}>
          {rows.map((row) => {
            const detail = row.notes ?? memoryExcerpt(row);
            return (
              <PaletteRow
                key={row.id}
                value={row.id}
                icon={<KindIcon type={row.type} />}
                detail={text !== '' && detail !== '' ? <Marked text={detail} words={words} /> : undefined}
                onSelect={() => done(() => openMemory(row.id))}
              >
                <Marked text={memoryTitle(row)} words={words} />
              </PaletteRow>
            );
          })}
        </Command.Group>
      )}
      {beyond.length > 0 && (
        <Command.Group heading="More from the server" className={GROUP}>
          {beyond.slice(0, SHOWN).map((hit) => (
            <PaletteRow
              key={hit.id}
              value={`server:${hit.id}`}
              icon={<Globe />}
              onSelect={() => done(() => openMemory(hit.id))}
            >
              {hit.title}
            </PaletteRow>
          ))}
        </Command.Group>
      )}
    </>
  );
}

function Places({ text, done, only }: GroupProps & { only: boolean }) {
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  const wanted = text.toLowerCase();
  const fits = ({ name }: { name: string }) => name.toLowerCase().includes(wanted);
  const spaces = useSpaces().filter(fits).slice(0, SHOWN);
  const threads = useThreads()
    .filter(fits)
    .slice(0, only ? 0 : SHOWN);
  if (text === '' && !only) return null;
  return (
    <>
      {spaces.length > 0 && (
        <Command.Group heading="Spaces" className={GROUP}>
          {spaces.map((space) => (
            <PaletteRow
              key={space.id}
              value={space.id}
              icon={<SpaceDot color={space.color} />}
              onSelect={() =>
                done(() => void navigate(pathTo('space', { workspace_slug: slug, space_slug: space.slug })))
              }
            >
              {space.name}
            </PaletteRow>
          ))}
        </Command.Group>
      )}
      {threads.length > 0 && (
        <Command.Group heading="Threads" className={GROUP}>
          {threads.map((thread) => (
            <PaletteRow
              key={thread.id}
              value={thread.id}
              icon={<MessagesSquare />}
              onSelect={() =>
                done(() => void navigate(pathTo('thread', { workspace_slug: slug, thread_id: thread.id })))
              }
            >
              {thread.name}
            </PaletteRow>
          ))}
        </Command.Group>
      )}
    </>
  );
}

function Tags({ text, done }: GroupProps) {
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  const wanted = text.toLowerCase();
  const tags = useTagCounts().filter(([tag]) => tag.includes(wanted));
  const to = (tag: string) =>
    `${pathTo('workspace_home', { workspace_slug: slug })}?tag=${encodeURIComponent(tag)}`;
  return (
    <Command.Group heading="Tags" className={GROUP}>
      {tags.slice(0, 50).map(([tag, count]) => (
        <PaletteRow
          key={tag}
          value={`tag:${tag}`}
          icon={<Tag />}
          onSelect={() => done(() => void navigate(to(tag)))}
        >
          {tag} <span className="text-xs text-ink-faint">{count}</span>
        </PaletteRow>
      ))}
    </Command.Group>
  );
}

function Actions({ text, done }: GroupProps) {
  const wanted = text.toLowerCase();
  const actions = usePaletteActions().filter(({ label }) => label.toLowerCase().includes(wanted));
  if (actions.length === 0) return null;
  return (
    <Command.Group heading="Actions and places" className={GROUP}>
      {actions.map((action) => (
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
    </Command.Group>
  );
}

/** What to do with words that are no command. */
function Fallbacks({ text, done }: GroupProps) {
  const can = useCan();
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  if (text === '') return null;
  const ask = async () => {
    const id = await startThread(text);
    if (id) await navigate(pathTo('thread', { workspace_slug: slug, thread_id: id }));
  };
  return (
    <Command.Group heading="With these words" className={GROUP}>
      {can('memory.create') && (
        <PaletteRow
          value="fallback:save"
          icon={<StickyNote />}
          onSelect={() => done(() => openModal('createMemory', { text }))}
        >
          Save “{text}” as note
        </PaletteRow>
      )}
      {can('thread.create') && (
        <PaletteRow value="fallback:ask" icon={<MessagesSquare />} onSelect={() => done(() => void ask())}>
          Start a thread with “{text}”
        </PaletteRow>
      )}
    </Command.Group>
  );
}

function Content({ start }: { start: string }) {
  const [query, setQuery] = useState(start);
  const mode = MODES[query.slice(0, 1)];
  const text = (mode ? query.slice(1) : query).trim();
  const done = (act: () => void) => {
    closePalette();
    act();
  };
  const given = { text, done };
  return (
    <Command label="Search and commands" shouldFilter={false} loop className="flex min-h-0 flex-col">
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
        <Command.Input
          value={query}
          onValueChange={setQuery}
          placeholder="Search memories, spaces, threads and commands"
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none sm:text-sm"
        />
      </div>
      <Command.List
        data-scroll
        className="max-h-[min(26rem,56dvh)] scroll-py-2 overflow-y-auto overscroll-contain p-1.5"
      >
        {mode === undefined && <Memories {...given} />}
        {(mode === undefined || mode === 'spaces') && <Places {...given} only={mode === 'spaces'} />}
        {mode === 'tags' && <Tags {...given} />}
        {(mode === undefined || mode === 'actions') && <Actions {...given} />}
        {(mode === undefined || mode === 'ask') && <Fallbacks {...given} />}
      </Command.List>
      <p className="flex items-center gap-3 border-t border-line px-4 py-2 text-xs text-ink-muted max-sm:hidden">
        <CornerDownLeft aria-hidden="true" className="size-3.5" />
        <span>&gt; actions</span>
        <span>/ spaces</span>
        <span># tags</span>
        <span>? ask</span>
        <span className="ms-auto">tag: space: type: before: after: “exact words”</span>
      </p>
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
