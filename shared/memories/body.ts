// The notes of a memory as fields of its row, the part that is synced to replicas, and the merge of two edits with the
// same base.
import { LIMITS } from '../constants.ts';
import { SYNC } from '../sync/limits.ts';
import { AppError } from '../errors.ts';
import { addressOf } from '../hash.ts';
import type { Memory, MemoryHead } from './memory.ts';
import { editBlock, type BlockEdit } from './quotes.ts';

/** The three fields that belong together when notes change. */
export function bodyFields(notes: string | null): Pick<Memory, 'notes' | 'bodyHash' | 'bodyBytes'> {
  if (notes === null || notes === '') return { notes: null, bodyHash: null, bodyBytes: 0 };
  const { hash, bytes } = addressOf(notes);
  return { notes, bodyHash: hash, bodyBytes: bytes };
}

/** Whole characters, as PostgreSQL counts them. */
const beginningOf = (notes: string): string =>
  Array.from(notes.slice(0, 2 * SYNC.beginningLength))
    .slice(0, SYNC.beginningLength)
    .join('');

/** Row as replicas store it: of long notes the beginning only; the rest is fetched by hash. */
export function memoryHeadOf(row: MemoryHead & Partial<Memory>): MemoryHead {
  const { urlKey: _urlKey, integrationId: _integrationId, ...head } = row;
  if (row.bodyBytes <= SYNC.inlineNotesBytes) return { ...head, beginning: null };
  return row.notes === null ? head : { ...head, notes: null, beginning: beginningOf(row.notes) };
}

/** An edit of notes whose hash was `baseHash` when the author began. */
export interface NotesEdit {
  notes: string | null;
  baseHash: string | null;
}

/**
 * Applies an edit to a row whose notes may have changed since it began. `keepsBoth`: two people wrote at once, and the
 * fields hold both texts.
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
  const text = edit.notes ?? '';
  // Clearing a note does not clear text written in it since; and a repeated edit is already in the row.
  if (text === '' || row.notes.startsWith(`${text}${CONFLICT}`)) return { fields: {}, keepsBoth: false };
  const both = mergeNotes(text, row.notes, at);
  if (both.length > LIMITS.notes)
    throw new AppError('conflict', 'The notes were changed elsewhere meanwhile');
  return { fields: bodyFields(both), keepsBoth: true };
}

/**
 * Applies the edit of one quote to a row. Later changes of the notes are preserved: only the block of the quote is edited.
 * @throws invalid when the notes would be too long
 */
export function editQuote(
  row: Pick<MemoryHead, 'notes' | 'bodyHash'>,
  { notes, baseHash, ...edit }: NotesEdit & BlockEdit,
): Partial<Pick<Memory, 'notes' | 'bodyHash' | 'bodyBytes'>> {
  if (row.bodyHash === baseHash) return bodyFields(notes);
  // Long notes are not in the row on a device; the server has them.
  if (row.notes === null && row.bodyHash !== null) return {};
  return bodyFields(editBlock(row.notes ?? '', edit));
}

const CONFLICT = '\n\n---\n\n**Conflicting version, kept ';

/** Both texts: the later edit first, the one it would have replaced under a dated marker. */
export function mergeNotes(incoming: string, replaced: string, at: string): string {
  return `${incoming}${CONFLICT}${at.slice(0, 10)}**\n\n${replaced}`;
}
