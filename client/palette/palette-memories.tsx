/**
 * The memories of the palette: the newest before anything is typed, then the results of this device, then those that
 * only the server has; and the actions for the open memory.
 */
import { Globe, ListFilter } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { pathTo } from '#shared/pages.ts';
import { MemorySign } from '#client/memories/memory-sign.tsx';
import { memoryExcerpt, memoryTitle, plainNotes } from '#shared/memories/memory-text.ts';
import { useMemoriesById, useMemory } from '#client/memories/queries.ts';
import { useMemoryMenu } from '#client/memories/use-memory-menu.tsx';
import { PaletteGroup, type GroupProps } from '#client/palette/palette-group.tsx';
import { PaletteRow } from '#client/palette/palette-row.tsx';
import { MarkedText } from '#client/shell/marked-text.tsx';
import { rankedIds, useServerHits } from '#client/memories/use-server-hits.ts';
import { useQuery } from '#client/replica/use-query.ts';
import type { LocalSearch } from '#client/replica/use-search.ts';
import { memoryInSearch, useOpenMemory } from '#client/shell/memory-address.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';

const RECENT = 6;
const SERVER_SHOWN = 8;
const NO_HITS = { hits: [] };

/** Stops at `count`, because this runs whenever a row changes. */
function firstOf(rows: readonly MemoryHead[], count: number): readonly MemoryHead[] {
  const found: MemoryHead[] = [];
  for (const row of rows) {
    if (found.length === count) break;
    if (!row.archived) found.push(row);
  }
  return found;
}

/** Before anything is typed. */
export function RecentMemories({ done }: GroupProps) {
  const openMemory = useOpenMemory();
  const rows = useQuery((view) => firstOf(view.list('memory'), RECENT), []);
  if (rows.length === 0) return null;
  return (
    <PaletteGroup heading="Recent">
      {rows.map((row) => (
        <PaletteRow
          key={row.id}
          value={row.id}
          icon={<MemorySign row={row} className="-mx-px" />}
          onSelect={() => done(() => openMemory(row.id))}
        >
          {memoryTitle(row)}
        </PaletteRow>
      ))}
    </PaletteGroup>
  );
}

export function FoundMemories({ text, done, found }: GroupProps & { found: LocalSearch }) {
  const openMemory = useOpenMemory();
  const navigate = useNavigate();
  const slug = useWorkspaceSlug();
  const server = useServerHits(text);
  const onDevice = found.result ?? NO_HITS;
  const [first] = onDevice.hits;
  const ranked = rankedIds(onDevice, server);
  // What Enter opens stays in its place, and the list does not grow while it is read.
  const hitIds = [...new Set(first ? [first.id, ...ranked] : ranked)]
    .slice(0, Math.max(onDevice.hits.length, SERVER_SHOWN))
    .join(' ');
  const [ids, setIds] = useState<readonly string[]>([]);
  if (hitIds !== ids.join(' ')) setIds(hitIds === '' ? [] : hitIds.split(' '));
  const rows = useMemoriesById(ids).filter(({ deletedAt }) => deletedAt === null);
  const here = new Set<string>(rows.map(({ id }) => id));
  const beyond = server.hits.filter(({ id }) => !here.has(id));
  const words = found.result?.highlight;
  const all = `${pathTo('workspace_home', { workspace_slug: slug })}?q=${encodeURIComponent(text)}`;
  return (
    <>
      {rows.length > 0 && (
        <PaletteGroup heading="Memories">
          {rows.map((row) => {
            const detail = row.notes === null ? memoryExcerpt(row) : plainNotes(row.notes);
            return (
              <PaletteRow
                key={row.id}
                value={row.id}
                icon={<MemorySign row={row} className="-mx-px" />}
                detail={detail === '' ? undefined : <MarkedText text={detail} words={words} />}
                onSelect={() => done(() => openMemory(row.id))}
              >
                <MarkedText text={memoryTitle(row)} words={words} />
              </PaletteRow>
            );
          })}
          <PaletteRow
            value="all-results"
            icon={<ListFilter />}
            onSelect={() => done(() => void navigate(all))}
          >
            Show {found.result?.total === 1 ? 'the result' : `all ${found.result?.total ?? ''} results`} as a
            list
          </PaletteRow>
        </PaletteGroup>
      )}
      {beyond.length > 0 && (
        <PaletteGroup heading="More results from the server">
          {beyond.slice(0, SERVER_SHOWN).map((hit) => (
            <PaletteRow
              key={hit.id}
              value={`server:${hit.id}`}
              icon={<Globe />}
              onSelect={() => done(() => openMemory(hit.id))}
            >
              {hit.title}
            </PaletteRow>
          ))}
        </PaletteGroup>
      )}
    </>
  );
}

export function OpenMemoryActions({ text, done }: GroupProps) {
  const { search } = useLocation();
  const row = useMemory(memoryInSearch(search));
  const menuOf = useMemoryMenu();
  if (!row) return null;
  const wanted = text.toLowerCase();
  const acts = menuOf(row).flatMap((entry) =>
    entry && (entry.kind ?? 'action') === 'action' && 'run' in entry ? [entry] : [],
  );
  const fitting = acts.filter(({ label }) => label !== 'Open' && label.toLowerCase().includes(wanted));
  if (fitting.length === 0) return null;
  return (
    <PaletteGroup heading="This memory">
      {fitting.map((act) => (
        <PaletteRow
          key={act.label}
          value={`memory:${act.label}`}
          icon={act.icon}
          keys={act.keys}
          onSelect={() => done(act.run)}
        >
          {act.label}
        </PaletteRow>
      ))}
    </PaletteGroup>
  );
}
