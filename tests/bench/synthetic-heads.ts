// The synthetic memories of the benchmarks as rows of a replica.
import type { Head } from '#shared/entities.ts';
import { newId } from '#shared/ids.ts';
import { memoryRow } from '#tests/support/replica-rows.ts';
import { syntheticMemories } from './synthetic-memories.ts';

/** So many heads, newest last. */
export function syntheticHeads(count: number): Head<'memory'>[] {
  return syntheticMemories(count).map((document) =>
    memoryRow({
      id: newId('memory'),
      title: document.title,
      description: document.description,
      summary: document.summary,
      notes: document.notes,
      tags: [...document.tags],
      url: document.url || null,
      archived: document.archived,
      created: new Date(document.created).toISOString(),
      updated: new Date(document.created).toISOString(),
    }),
  );
}
