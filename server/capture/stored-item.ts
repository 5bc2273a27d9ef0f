// A row of an archive of Loci whose file is in the store. Types only.
import type { Id } from '#shared/ids.ts';
import type { TakenSnapshot } from './snapshots/take-snapshot.ts';
import type { ArchiveItem } from './imports/archive-item.ts';
import type { ArchiveRow, ArchiveRowOf } from './workspace-archive.ts';

export interface StoredItem extends Omit<ArchiveItem, 'attached' | 'savedPage'> {
  /** The uploaded file of a memory. */
  upload?: { id: Id<'upload'>; bytes: number };
  /** The saved page of a link. */
  snapshot?: TakenSnapshot;
}

export type StoredItemOf<K extends ArchiveRow['kind']> = StoredItem & { row: ArchiveRowOf<K> };
