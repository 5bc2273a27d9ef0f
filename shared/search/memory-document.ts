/** Creates the search document of a memory from its row in the replica. Pure. */
import { fnv1a } from '../fnv.ts';
import type { MemoryHead } from '../memories/memory.ts';
import { referencesIn } from '../memories/references.ts';
import { pageHashOf } from '../memories/memory-kinds.ts';
import type { SearchDocument } from './search-document.ts';

export type SearchableHead = Pick<
  MemoryHead,
  | 'id'
  | 'title'
  | 'tags'
  | 'description'
  | 'summary'
  | 'notes'
  | 'metadata'
  | 'url'
  | 'type'
  | 'origin'
  | 'archived'
  | 'created'
  | 'updated'
>;

/** The facet of the references in notes. */
export const REFERENCE_FACET = 'reference';
/** Changes with the content of documents, so that devices index again what they have stored. */
const DOCUMENT_FORM = 2;

/** Texts that are not in a head: notes that are too long for it, and the page behind a link; undefined until loaded. */
export interface RemoteTexts {
  body?: string | undefined;
  page?: string | undefined;
}

export function searchDocumentOf(
  head: SearchableHead,
  spaceIds: readonly string[],
  { body, page }: RemoteTexts = {},
): SearchDocument {
  return {
    id: head.id,
    title: head.title ?? '',
    tags: head.tags,
    description: head.description ?? '',
    summary: head.summary ?? '',
    notes: head.notes ?? body ?? '',
    page: page ?? '',
    url: head.url ?? '',
    spaceIds,
    type: head.type,
    origin: head.origin,
    archived: head.archived,
    created: Date.parse(head.created),
    facets: { [REFERENCE_FACET]: referencesIn(head.notes ?? body ?? '') },
    stamp: searchStampOf(head, spaceIds, { body: body !== undefined, page: page !== undefined }),
  };
}

/** Differs whenever the document would: after an edit, a change of its spaces, or the arrival of its texts. */
export function searchStampOf(
  head: Pick<MemoryHead, 'title' | 'notes' | 'metadata' | 'updated' | 'archived' | 'tags'>,
  spaceIds: readonly string[],
  has: { body: boolean; page: boolean },
): number {
  const facts = [
    DOCUMENT_FORM,
    head.updated,
    // A title that was read from a page or written by a language model is no change of a person.
    head.title,
    head.archived,
    has.body && head.notes === null,
    has.page && pageHashOf(head),
    ...head.tags,
    ...spaceIds.toSorted(),
  ];
  return fnv1a(facts.join('\n'));
}
