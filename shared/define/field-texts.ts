/**
 * Descriptions of fields for the API reference: beside the schemas and not in them, because the application loads those
 * with its mutators and calls.
 */
import type { z } from 'zod';

/**
 * Field descriptions by owner: a component (`Memory`), which also covers the calls of its kind (`memory.create`), or a
 * single call. A nested field is named by its path (`server.host`).
 */
export type FieldTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Owner of fields that are the same everywhere. */
export const ANY_OWNER = '*';

/** Descriptions of fields that are the same everywhere, unless an owner overrides them. */
export const COMMON_TEXTS = {
  success: 'Always true; a failure has false, and `error` instead of `result`.',
  result: 'What the call returns; null where there is nothing to return.',
  meta: 'Facts beside the result: the page of a list, `syncVersion` after a write, `duplicate` where it was there before.',
  'meta.total': 'Rows on all pages together.',
  page: 'Counted from 1; a page behind the last one is empty.',
  perPage: 'Rows on a page.',
  cursor: 'The `nextCursor` of the page before, instead of `page`; for the same order and filters.',
  'meta.nextCursor': 'Leads to the next page; null on the last. Left out by lists with page numbers alone.',
  orderBy: 'The field that decides the order.',
  order: '`asc` lists the smallest or oldest first, `desc` the largest or newest.',
  id: 'Never changes; names the row in calls and in references from other rows.',
  workspaceId: 'Id of the workspace; its `slug` is not accepted here.',
  createdBy: 'Id of the user who made it, also after the owner has changed.',
  lastEditedBy: 'Id of the user who changed it last.',
  created: 'In UTC. What a device made while it was offline has the time of the device.',
  updated: 'Time of the last change, in UTC.',
} as const;

type SameEverywhere = keyof typeof COMMON_TEXTS;

/** A text for each field of a row, except the hidden ones; those that are the same everywhere may have one of their own. */
export type RowTexts<E extends { row: z.ZodType }, Hidden extends string = never> = Readonly<
  Record<Exclude<keyof z.output<E['row']> & string, Hidden | SameEverywhere>, string> &
    Partial<Record<SameEverywhere & keyof z.output<E['row']>, string>>
>;

/** Of an id that a client may choose when it creates a row. */
export const CHOSEN_ID =
  'An id of your own in this form, so that the repeated request makes no second one; the server chooses one when it is left out.';
