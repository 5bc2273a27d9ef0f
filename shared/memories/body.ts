// The text of a memory's notes as fields of its row, what of it travels in replicas, and how two edits of the same
// base are kept side by side (PRODUCT 5.2).
import { SYNC } from '../constants.ts';
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

/** Both texts: the later edit first, the one it would have replaced under a dated marker. */
export function mergeNotes(incoming: string, replaced: string, at: string): string {
  return `${incoming}\n\n---\n\n**Conflicting version, kept ${at.slice(0, 10)}**\n\n${replaced}`;
}
