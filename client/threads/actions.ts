/**
 * The actions on threads: start, write, rename, delete with undo. Writes through mutations only; a failure is shown,
 * and the result is then false or undefined.
 */
import { newId, type Id } from '#shared/ids.ts';
import { readContext, sourcesOf } from '#shared/threads/message-context.ts';
import type { Message } from '#shared/threads/message.ts';
import { nameOfThread } from '#shared/threads/thread-name.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { perform } from '#client/shell/perform.ts';
import { undoable } from '#client/shell/undo.ts';

/** A new message; it is answered from what its first line names. */
function messageOf(threadId: Id<'thread'>, content: string) {
  return { id: newId('message'), threadId, content, ...sourcesOf(readContext(content).items) };
}

/** Starts a thread with a first message; returns its id, or undefined when that was refused. */
export async function startThread(content: string): Promise<Id<'thread'> | undefined> {
  const id = newId('thread');
  const isDone = await perform(async () => {
    await mutate('thread.create', { id, name: nameOfThread(content) || 'New thread' });
    await mutate('message.create', messageOf(id, content));
  });
  return isDone ? id : undefined;
}

/** Begins a thread with the messages up to this one; returns its id, or undefined when that was refused. */
export async function branchThread({ id: messageId, threadId }: Message): Promise<Id<'thread'> | undefined> {
  const id = newId('thread');
  const isDone = await perform(() => mutate('thread.branch', { id, threadId, messageId }));
  return isDone ? id : undefined;
}

/** Writes a message; it is stored on this device until the server has it. */
export function sendMessage(threadId: Id<'thread'>, content: string): Promise<boolean> {
  return perform(() => mutate('message.create', messageOf(threadId, content)));
}

/** Saves an answer with its sources as a note, named by its question. */
export async function saveAnswer(question: string, text: string): Promise<void> {
  const id = newId('memory');
  await undoable({
    act: () =>
      perform(() =>
        mutate('memory.create', {
          id,
          origin: 'manual_entry',
          title: nameOfThread(question) || null,
          notes: text,
        }),
      ),
    undo: async () => void (await perform(() => mutate('memory.remove', { id }))),
    title: 'Answer saved as a memory',
  });
}

export async function renameThread({ id, name: before }: Thread, name: string): Promise<boolean> {
  if (name === before) return true;
  return undoable({
    act: () => perform(() => mutate('thread.update', { id, name, base: { name: before } })),
    undo: async () =>
      void (await perform(() => mutate('thread.update', { id, name: before, base: { name } }))),
    title: 'Thread renamed',
  });
}

/** Deletes a thread; it stays under "Recently deleted". */
export function removeThread({ id }: Thread): Promise<boolean> {
  return undoable({
    act: () => perform(() => mutate('thread.remove', { id })),
    undo: async () => void (await perform(() => mutate('thread.restore', { id }))),
    title: 'Thread deleted',
  });
}

/** Brings a deleted thread back. */
export function restoreThread({ id }: Thread): Promise<boolean> {
  return undoable({
    act: () => perform(() => mutate('thread.restore', { id })),
    undo: async () => void (await perform(() => mutate('thread.remove', { id }))),
    title: 'Thread restored',
  });
}
