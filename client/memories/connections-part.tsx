/**
 * Below an open memory: the notes that refer to it, and other memories about the same with what they share.
 */
import { useEffect, useId, useState } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { domainOf, memoryTitle } from '#shared/memories/memory-text.ts';
import { namesOf } from '#shared/memories/references.ts';
import { MemoryLink } from '#client/memories/memory-link.tsx';
import { MemorySign } from '#client/memories/memory-sign.tsx';
import { useMemoriesById } from '#client/memories/queries.ts';
import { useIsIndexComplete } from '#client/replica/use-index-complete.ts';
import { openedReplica } from '#client/replica/open-replica.ts';

/** Tags and domain that two memories share; empty when they are similar by text only. */
function sharedBy(row: MemoryHead, other: MemoryHead): string {
  const tags = other.tags.filter((tag) => row.tags.includes(tag)).map((tag) => `#${tag}`);
  const domain = domainOf(row.url);
  if (domain !== undefined && domain === domainOf(other.url)) tags.unshift(domain);
  return tags.slice(0, 3).join(' ');
}

interface ConnectionListProps {
  title: string;
  rows: readonly MemoryHead[];
  noteOf?: (row: MemoryHead) => string;
}

function ConnectionList({ title, rows, noteOf }: ConnectionListProps) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title} className="mt-8 border-t border-line pt-4">
      <h3 className="mb-1.5 text-xs font-medium text-ink-faint">{title}</h3>
      <ul className="-mx-2 flex flex-col">
        {rows.map((row) => (
          <li key={row.id}>
            <MemoryLink
              id={row.id}
              className="flex min-h-9 items-center gap-2.5 rounded-control px-2 py-1.5 hover:bg-hover pointer-coarse:min-h-11"
            >
              <MemorySign row={row} />
              <span className="min-w-0 flex-1 truncate">{memoryTitle(row)}</span>
              {noteOf !== undefined && (
                <span className="max-w-[45%] truncate text-xs text-ink-faint">{noteOf(row)}</span>
              )}
            </MemoryLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Renders nothing for a memory without connections. */
export function ConnectionsPart({ row }: { row: MemoryHead }) {
  const { related, referring } = useConnections(row);
  return (
    <>
      <ConnectionList title="Linked from" rows={referring} />
      <ConnectionList title="Related" rows={related} noteOf={(other) => sharedBy(row, other)} />
    </>
  );
}

/** As many as fit beside a note without a list of their own. */
const RELATED_MAX = 5;

const NONE: readonly string[] = [];

interface Connections {
  related: readonly MemoryHead[];
  referring: readonly MemoryHead[];
}

/**
 * Related memories of an open memory, and notes that refer to it. Found by the search index of this device in its worker,
 * so they work offline and cover readable memories only. Both lists; empty until they are known, and requested again when
 * the memory or the index changes.
 */
function useConnections(row: MemoryHead): Connections {
  const channel = useId();
  const [found, setFound] = useState({ id: '', related: NONE, referring: NONE });
  const isComplete = useIsIndexComplete();
  const { id, title, url, updated } = row;
  const tagText = row.tags.join(',');
  useEffect(() => {
    const search = openedReplica()?.search;
    if (!search || !isComplete) return undefined;
    let isCurrent = true;
    const tags = tagText === '' ? [] : tagText.split(',');
    void Promise.all([
      search.related({ id, tags }, RELATED_MAX),
      search.referring(namesOf({ title, url }), channel),
    ])
      .then(([related, referring]) => isCurrent && setFound({ id, related, referring }))
      // The memory itself is readable without them.
      .catch((failure: unknown) => console.error('memories: related ones could not be found', failure));
    return () => {
      isCurrent = false;
    };
  }, [id, title, url, updated, tagText, channel, isComplete]);
  const isKnown = found.id === id;
  const referring = useMemoriesById(isKnown ? found.referring : NONE);
  const related = useMemoriesById(isKnown ? found.related : NONE);
  const others = referring.filter((other) => other.id !== id && other.deletedAt === null);
  return {
    referring: others,
    related: related.filter((other) => other.deletedAt === null && !others.includes(other)),
  };
}
