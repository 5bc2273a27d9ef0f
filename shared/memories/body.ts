// The notes of a memory as fields of its row, the part that is synced to replicas, and the merge of two edits with the
// same base.
import { LIMITS, SYNC } from '../constants.ts';
import { AppError } from '../errors.ts';
import { addressOf } from '../hash.ts';
import type { Memory, MemoryHead } from './memory.ts';

/** The three fields that belong together when notes change. */
export function bodyFields(notes: string | null): Pick<Memory, 'notes' | 'bodyHash' | 'bodyBytes'> {
  if (notes === null || notes === '') return { notes: null, bodyHash: null, bodyBytes: 0 };
  const { hash, bytes } = addressOf(notes);
  return { notes, bodyHash: hash, bodyBytes: bytes };
}

/** What a replica holds of a row: long notes are left out and fetched by hash. */
export function memoryHeadOf(row: MemoryHead & Partial<Memory>): MemoryHead {
  const { urlKey: _urlKey, integrationId: _integrationId, ...head } = row;
  return row.bodyBytes > SYNC.inlineNotesBytes ? { ...head, notes: null } : head;
}

/** An edit of notes whose hash was `baseHash` when the author began. */
export interface NotesEdit {
  notes: string | null;
  baseHash: string | null;
}

/**
 * What an edit makes of a row whose notes may have changed since it began.
 * `keepsBoth`: two people wrote at once, and the fields hold both texts.
 * @throws conflict when both together are too long
 */
export function editNotes(
  row: Pick<MemoryHead, 'notes' | 'bodyHash'>,
  edit: NotesEdit,
  at: string,
): { fields: Partial<Pick<Memory, 'notes' | 'bodyHash' | 'bodyBytes'>>; keepsBoth: boolean } {
  const incoming = bodyFields(edit.notes);
  const isCurrent = row.bodyHash === edit.baseHash || row.bodyHash === incoming.bodyHash;
  // Notes that are not in the row are long ones on a device; the server merges them.
  if (isCurrent || row.notes === null) return { fields: incoming, keepsBoth: false };
  // The same edit again, whose result is in the row already; and clearing a note does not clear what was written in it
  // since.
  if (row.notes.startsWith(edit.notes ?? '')) return { fields: {}, keepsBoth: false };
  const both = mergeNotes(edit.notes ?? '', row.notes, at);
  if (both.length > LIMITS.notes)
    throw new AppError('conflict', 'The notes were changed elsewhere meanwhile');
  return { fields: bodyFields(both), keepsBoth: true };
}

/** Both texts: the later edit first, the one it would have replaced under a dated marker. */
export function mergeNotes(incoming: string, replaced: string, at: string): string {
  return `${incoming}\n\n---\n\n**Conflicting version, kept ${at.slice(0, 10)}**\n\n${replaced}`;
}
