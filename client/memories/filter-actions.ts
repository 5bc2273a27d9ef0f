/** How people save the list in front of them under a name, and what the saved one is called by. */
import { mutate } from '#client/replica/current-replica.ts';
import { FACETS } from '#client/memories/list-view.ts';
import { perform } from '#client/shell/perform.ts';
import { undoable } from '#client/shell/undo.ts';

/** Parameters that decide what a list shows; an open memory and the like are none of them. */
const KEPT: ReadonlySet<string> = new Set(['q', 'view', 'sort', 'order', ...FACETS]);

/** The parameters of an address that belong to its list, always in the same order. */
export function filterQueryOf(params: URLSearchParams): string {
  const kept = new URLSearchParams([...params].filter(([name]) => KEPT.has(name)));
  kept.sort();
  return kept.toString();
}

/** Saves a list under a name; the one that has the name already is replaced. */
export async function saveFilter(name: string, query: string): Promise<boolean> {
  return perform(() => mutate('sidebar.save_filter', { name, query }));
}

/** Removes a saved filter; its memories stay. */
export async function removeFilter(name: string, query: string): Promise<void> {
  await undoable({
    act: () => perform(() => mutate('sidebar.remove_filter', { name })),
    undo: async () => void (await saveFilter(name, query)),
    title: `Filter “${name}” removed`,
  });
}
