/** Makes the document that search keeps of a memory from what the replica knows of it. Pure. */
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { SearchDocument } from './search-document.ts';

/** The fields of a head that can be searched. */
export type SearchableHead = Pick<
  MemoryHead,
  | 'id'
  | 'title'
  | 'tags'
  | 'description'
  | 'summary'
  | 'notes'
  | 'url'
  | 'type'
  | 'origin'
  | 'archived'
  | 'created'
  | 'updated'
>;

/** `body` is the long text of a memory whose notes are not in its head, as soon as it is known. */
export function searchDocumentOf(
  head: SearchableHead,
  spaceIds: readonly string[],
  body: string | undefined,
): SearchDocument {
  return {
    id: head.id,
    title: head.title ?? '',
    tags: head.tags,
    description: head.description ?? '',
    summary: head.summary ?? '',
    notes: head.notes ?? body ?? '',
    url: head.url ?? '',
    spaceIds,
    type: head.type,
    origin: head.origin,
    archived: head.archived,
    created: Date.parse(head.created),
    stamp: searchStampOf(head, spaceIds, body !== undefined),
  };
}

/** Differs whenever the document would: after an edit, a change of its spaces, or the arrival of its body. */
export function searchStampOf(
  head: Pick<MemoryHead, 'notes' | 'updated' | 'archived' | 'tags'>,
  spaceIds: readonly string[],
  hasBody: boolean,
): number {
  const facts = [
    head.updated,
    head.archived,
    hasBody && head.notes === null,
    ...head.tags,
    ...spaceIds.toSorted(),
  ];
  let stamp = 0x811c9dc5;
  for (const unit of facts.join('\n')) stamp = Math.imul(stamp ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return stamp >>> 0;
}
