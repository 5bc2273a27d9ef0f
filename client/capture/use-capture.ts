/**
 * Saves a capture and confirms it: "Saved · Undo · Open", or shows the memory that already has the address. Works
 * offline; the server's part follows with the sync.
 */
import { useCallback } from 'react';
import { newId, type Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { mutate, mutateAll } from '#client/replica/current-replica.ts';
import type { MutateArgs } from '#client/replica/replica.ts';
import { useReader } from '#client/replica/use-query.ts';
import type { Captured } from '#client/capture/capture-text.ts';
import { findDuplicate } from '#client/capture/duplicates.ts';
import { useMemoryRights } from '#client/memories/queries.ts';
import { countSave } from '#client/shell/install.ts';
import { useOpenMemory } from '#client/shell/memory-address.ts';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';
import { showUndoToast } from '#client/shell/undo.ts';

type Origin = MemoryHead['origin'];
type NewMemory = MutateArgs<'memory.create'>;

/** The origin of a text and the space that it is saved to. */
export interface CaptureContext {
  /** How the text got into the field. */
  by: 'typed' | 'pasted' | 'shared' | 'dropped';
  spaceId?: Id<'space'> | null;
  tags?: readonly string[];
  /** Id and time of a note that an earlier attempt may have saved: then both are one write. */
  named?: Pick<NewMemory, 'id' | 'at'> | undefined;
}

const NOTE_ORIGIN: Readonly<Record<CaptureContext['by'], Origin>> = {
  typed: 'manual_entry',
  pasted: 'clipboard',
  shared: 'text',
  dropped: 'upload',
};

function memoriesOf(captured: Captured, context: CaptureContext): NewMemory[] {
  const { by, spaceId = null, named } = context;
  const tags = [...(context.tags ?? [])];
  const id = newId('memory');
  switch (captured.kind) {
    case 'note': {
      const { title, notes } = captured;
      return [{ id, ...named, origin: NOTE_ORIGIN[by], title, notes, spaceId, tags }];
    }
    case 'link':
      return [{ id, origin: 'web', url: captured.url, notes: captured.notes, spaceId, tags }];
    case 'links': {
      // A millisecond apart, so that a list of the newest first has them in their original order.
      const now = Date.now();
      return captured.urls.map((url, index): NewMemory => {
        const at = new Date(now - index).toISOString();
        return { id: newId('memory'), at, origin: 'web', url, spaceId, tags };
      });
    }
    default:
      return [];
  }
}

/** Requests persistent storage once per device, so that the browser does not evict this data. */
function askToPersist(): void {
  void navigator.storage?.persist?.();
}

/** Brings an existing memory back to the top instead of saving it twice: out of the archive, and updated now. */
async function surface(known: MemoryHead, { spaceId, tags = [] }: CaptureContext): Promise<void> {
  await mutate('memory.update', { id: known.id, archived: false });
  if (tags.length > 0) await mutate('memory.add_tags', { id: known.id, tags: [...tags] });
  if (spaceId) await mutate('space_memory.create', { spaceId, memoryId: known.id });
}

/** Saves; resolves to whether all of it is stored, so that the caller may clear its field. */
export function useCapture(): (captured: Captured, context: CaptureContext) => Promise<boolean> {
  const read = useReader();
  const openMemory = useOpenMemory();
  const rights = useMemoryRights();
  return useCallback(
    async (captured, context) => {
      const wanted = memoriesOf(captured, context);
      const rows = read((view) => view.list('memory'));
      const fresh: NewMemory[] = [];
      const known: MemoryHead[] = [];
      // Words beside a known address: the server puts them to the memory that has it (server/memories/duplicates.ts).
      const added: NewMemory[] = [];
      for (const fields of wanted) {
        const same = fields.url ? findDuplicate(rows, fields.url) : undefined;
        // As on the server: a memory that this person may not change stays unchanged, and the page is saved as a new
        // one.
        const duplicate = same && rights('memory.update', same) ? same : undefined;
        if (duplicate) known.push(duplicate);
        else fresh.push(fields);
        if (duplicate && fields.notes) added.push(fields);
      }
      const isStored = await perform(async () => {
        // Together, so that the end of the page does not leave half of them.
        await mutateAll([...fresh, ...added].map((args) => ({ name: 'memory.create', args })));
        for (const row of known) await surface(row, context);
      });
      if (!isStored) return false;
      askToPersist();
      countSave();
      report({
        fresh: fresh.map(({ id }) => id),
        known,
        hasAdded: added.length > 0,
        open: openMemory,
      });
      return true;
    },
    [read, openMemory, rights],
  );
}

interface Report {
  fresh: readonly Id<'memory'>[];
  known: readonly MemoryHead[];
  /** Words went to the known one. */
  hasAdded: boolean;
  open: (id: string) => void;
}

function knownMessage(count: number, hasAdded: boolean): string {
  if (hasAdded) return 'Already in your memories, with your words added';
  return count === 1 ? 'Already in your memories' : `All ${count} are already in your memories`;
}

function report({ fresh, known, hasAdded, open }: Report): void {
  const [first] = fresh;
  const [duplicate] = known;
  if (first !== undefined) {
    const also = known.length === 0 ? '' : `, ${known.length} already there`;
    const title = fresh.length === 1 ? `Saved${also}` : `${fresh.length} memories saved${also}`;
    const undo = () => mutateAll(fresh.map((id) => ({ name: 'memory.remove', args: { id } })));
    showUndoToast(title, undo, fresh.length === 1 ? [{ label: 'Open', run: () => open(first) }] : []);
  } else if (duplicate) {
    showToast({
      title: knownMessage(known.length, hasAdded),
      kind: 'neutral',
      actions: [{ label: 'Open', run: () => open(duplicate.id) }],
    });
  }
}
