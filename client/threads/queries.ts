/**
 * Queries of the replica for threads: the list, one thread, its messages, matches of a search, and permissions of this
 * person.
 */
import { useMemo } from 'react';
import type { Head } from '#shared/entities.ts';
import { foldText } from '#shared/memories/text-analysis.ts';
import type { Action } from '#shared/permissions.ts';
import { sourceTitle } from '#shared/threads/answer-sources.ts';
import type { Citation } from '#shared/threads/citation.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { usePlaceRights } from '#client/spaces/queries.ts';

function lastChangedFirst(rows: readonly Thread[]): readonly Thread[] {
  return rows.toSorted((a, b) => (a.updated < b.updated ? 1 : -1));
}

/** Threads that are not deleted, the one changed last first. */
export function useThreads(): readonly Thread[] {
  const rows = useQuery((view) => view.list('thread'), []);
  return useMemo(() => lastChangedFirst(rows), [rows]);
}

/** Threads that were deleted and can still be restored, most recently deleted first. */
export function useDeletedThreads(): readonly Thread[] {
  const rows = useQuery((view) => view.deleted('thread'), []);
  return useMemo(() => rows.toSorted((a, b) => ((a.deletedAt ?? '') < (b.deletedAt ?? '') ? 1 : -1)), [rows]);
}

/** One thread, deleted ones included. */
export function useThread(id: string | undefined): Thread | undefined {
  return useQuery((view) => (id === undefined ? undefined : view.peek('thread', id)), [id]);
}

/** Messages of a thread on this device with the earlier versions of its answers, oldest first. */
export function useMessages(threadId: string): readonly Message[] {
  return useQuery((view) => view.messagesOf(threadId), [threadId]);
}

/** The sources of a message; a row that this device got before there were any has none. */
export function citationsOf({ citations }: Partial<Pick<Message, 'citations'>>): readonly Citation[] {
  return citations ?? [];
}

/**
 * Titles of cited memories by id; deleted ones and those that are not on this device are missing. Like the server, it
 * never derives a title from notes.
 */
export function useCitedTitles(citations: readonly Citation[]): ReadonlyMap<string, string> {
  const rows = useQuery(
    (view) =>
      citations.map(({ memoryId }) => view.get('memory', memoryId)).filter((row) => row !== undefined),
    // oxlint-disable-next-line react/exhaustive-deps -- lists of the same ids are the same
    [citations.map(({ memoryId }) => memoryId).join(' ')],
  );
  return useMemo(() => new Map(rows.map((row) => [row.id, sourceTitle(row)])), [rows]);
}

/** Whether this person may perform an action on a thread; for the state of buttons. */
export function useThreadRights(): (
  action: Action,
  row: Pick<Thread, 'id' | 'ownerId' | 'visibility'>,
) => boolean {
  return usePlaceRights();
}

/** A thread that matches a search, with the matching message or summary unless the name matches. */
export interface ThreadMatch {
  thread: Thread;
  passage: string | undefined;
}

/** Rows never change in place, so their folded text is made once. */
const folded = new WeakMap<object, string>();

function foldedText(row: Thread | Head<'message'>): string {
  const known = folded.get(row);
  if (known !== undefined) return known;
  const text = foldText('content' in row ? row.content : `${row.name}\n${row.summary ?? ''}`);
  folded.set(row, text);
  return text;
}

/** Words of a query in the form in which threads are searched. */
export function threadWords(query: string): readonly string[] {
  return foldText(query)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
}

/** Threads on this device with all words in their name, summary or one message, the one changed last first. */
export function useThreadMatches(query: string): readonly ThreadMatch[] {
  const threads = useThreads();
  const messages = useQuery((view) => view.list('message'), []);
  const words = useMemo(() => threadWords(query), [query]);
  return useMemo(() => {
    if (words.length === 0) return threads.map((thread) => ({ thread, passage: undefined }));
    const says = (row: Thread | Head<'message'>) => words.every((word) => foldedText(row).includes(word));
    const passages = new Map<string, string>();
    for (const message of messages) {
      if (!message.versionOf && !passages.has(message.threadId) && says(message))
        passages.set(message.threadId, message.content);
    }
    return threads.flatMap((thread): ThreadMatch[] => {
      const passage = passages.get(thread.id);
      return passage !== undefined || says(thread) ? [{ thread, passage }] : [];
    });
  }, [threads, messages, words]);
}

/** Key of the draft of a new thread's first message. */
export function newThreadDraft(userId: string, workspaceSlug: string): string {
  return `thread-new/${userId}/${workspaceSlug}`;
}
