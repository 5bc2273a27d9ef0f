/**
 * Related memories of an open memory, and notes that refer to it. Found by the search index of this device in its
 * worker, so they work offline and cover readable memories only.
 */
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { namesOf } from '#shared/memories/references.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import { useMemoriesById } from '#client/memories/queries.ts';

/** As many as fit beside a note without a list of their own. */
const RELATED_MAX = 5;

const NONE: readonly string[] = [];
const subscribe = (listener: () => void) => openedReplica()?.search.subscribe(listener) ?? (() => undefined);
const isCompleteNow = () => openedReplica()?.search.isComplete ?? false;

interface Connections {
  related: readonly MemoryHead[];
  referring: readonly MemoryHead[];
}

/** Both lists; empty until they are known, and requested again when the memory or the index changes. */
export function useConnections(row: MemoryHead): Connections {
  const channel = useId();
  const [found, setFound] = useState({ id: '', related: NONE, referring: NONE });
  const isComplete = useSyncExternalStore(subscribe, isCompleteNow);
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
