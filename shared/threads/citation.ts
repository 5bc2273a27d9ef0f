// The sources of an answer: the memories it cites, in the order of their numbers (1, 2, …), and the public form of a
// citation. A citation refers to its memory and never copies its title, so it is never outdated.
import { z } from 'zod';
import { ANSWERS } from './limits.ts';
import { text } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';

const MOST_SOURCES = 50;

/** One source; its number is its place in the list, from 1. */
const citation = z.object({
  memoryId: idOf('memory'),
  /** The passage that the answer rests on. Only members can read it: it may come from notes. */
  quote: text(ANSWERS.quoteMax).nullable(),
});
export type Citation = z.output<typeof citation>;

export const citations = z.array(citation).max(MOST_SOURCES);

/** A source as the public sees it: never a quote, and of one that is not public only its existence. */
export const publicCitation = z.object({
  number: z.number().int(),
  /** Null for a private source. */
  memoryId: idOf('memory').nullable(),
  /** `private source` when the memory is in no public or unlisted space. */
  title: z.string(),
  /** The shared space that shows it, by the last part of its address. */
  spaceSlug: z.string().nullable(),
  /** That space publishes texts, so the memory has a page of its own there. */
  hasPage: z.boolean(),
});
export type PublicCitation = z.output<typeof publicCitation>;
