// What a search adds to each thing it finds: how well it fits, and which words of it were meant.
import { z } from 'zod';

/** A piece of a field with the places to mark, as pairs of start and end in UTF-16 units of `text`. */
export const snippet = z
  .object({
    field: z.enum(['title', 'tags', 'description', 'summary', 'notes', 'url', 'name', 'message']),
    text: z.string(),
    ranges: z.array(z.tuple([z.number().int(), z.number().int()])),
  })
  .meta({ id: 'Snippet' });
export type Snippet = z.infer<typeof snippet>;

/** The fields of a hit beside its row; 0 as score when nothing but filters was asked for. */
export const searchHit = { score: z.number(), snippets: z.array(snippet) };
