// Public fields of a memory: an allow-list, so a field added to the entity stays private.
import { z } from 'zod';
import { memory } from './memory.ts';

export const publicMemory = memory.row
  .pick({
    id: true,
    type: true,
    title: true,
    description: true,
    summary: true,
    url: true,
    tags: true,
    screenshot: true,
    filename: true,
    contentStatus: true,
    created: true,
    updated: true,
  })
  .extend({
    /**
     * The Markdown of a note in a space that publishes texts; null for links and files, whose notes are private. Lists
     * leave out texts above SYNC.inlineNotesBytes.
     */
    text: memory.row.shape.notes,
    /** The first words of that text without Markdown; empty without a text. */
    excerpt: z.string(),
  });
export type PublicMemory = z.output<typeof publicMemory>;

const neighbour = z.object({ id: publicMemory.shape.id, title: z.string() });

/** A memory with its place among the others. */
export const placedMemory = publicMemory.extend({
  /** The memories beside it in the list of its space, which has the newest first. */
  newer: neighbour.nullable(),
  older: neighbour.nullable(),
  /**
   * Slug of the space whose page of the memory is canonical for search engines, among those that show it to everyone with its
   * text. Null when all of them are unlisted or show titles only.
   */
  canonicalSpace: z.string().nullable(),
});
export type PlacedMemory = z.output<typeof placedMemory>;
