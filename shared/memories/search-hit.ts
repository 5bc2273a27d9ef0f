// The fields that a search adds to each result: its score and the matching parts of its text.
import { z } from 'zod';

/** A piece of a field with the places to mark, as pairs of start and end in UTF-16 units of `text`. */
const snippet = z
  .object({
    field: z.enum(['title', 'tags', 'description', 'summary', 'notes', 'page', 'url', 'name', 'message']),
    text: z.string(),
    ranges: z.array(z.tuple([z.number().int(), z.number().int()])),
  })
  .meta({ id: 'Snippet' });
export type Snippet = z.infer<typeof snippet>;

/** The fields of a hit beside its row; the score is 0 when the query has only filters. */
export const searchHit = { score: z.number(), snippets: z.array(snippet) };
