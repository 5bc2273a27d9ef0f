// Sends what waits, one after the other. Each page has an id and a key of its own from the start, by which the server
// recognizes it, so that sending twice saves once.
import type { Id } from '#shared/ids.ts';
import { accountKey, type Account } from './account.ts';
import { callsAt, type Answer } from './calls.ts';
import { withToken } from './sign-in.ts';
import { failureOf, nextToSend, type Failure, type Waiting, type WaitingSave } from './waiting.ts';
import { endSave, endWaiting, markRefused, markTried, waitingOf } from './waiting-store.ts';

/** A memory as the server has it after a save. */
export interface Saved {
  memory: Answer<'memory.create'>['result'];
  isDuplicate: boolean;
}

/** Saves completed since the worker started, by the id assigned on the device. */
const saved = new Map<Id<'memory'>, Saved>();

/** Result of a save; undefined while it is queued. */
export function savedAs(memoryId: Id<'memory'>): Saved | undefined {
  return saved.get(memoryId);
}

/** Removes a memory that this extension made, once pending saves are sent. @throws LociError, TypeError, SignedOut */
export async function takeBack(account: Account, memoryId: Id<'memory'>): Promise<void> {
  await sendWaiting(account);
  const { workspaceId } = account;
  await withToken(account, (token) =>
    callsAt(account.server, token)('memory.remove', { params: { workspaceId, id: memoryId } }),
  );
  for (const [key, { memory }] of saved) if (memory.id === memoryId) saved.delete(key);
}

let sending: Promise<Failure | undefined> = Promise.resolve(undefined);

/** Sends all waiting entries in order, after a send in progress. Returns the failure that stopped it, if any. */
export function sendWaiting(account: Account): Promise<Failure | undefined> {
  sending = sending.then(
    () => sendAll(account),
    () => sendAll(account),
  );
  return sending;
}

async function sendAll(account: Account): Promise<Failure | undefined> {
  for (;;) {
    // A save that was never sent can still be edited.
    if (!navigator.onLine) return 'later';
    const next = nextToSend(await waitingOf(accountKey(account)));
    if (next?.seq === undefined) return undefined;
    try {
      await sendOne(account, next, next.seq);
    } catch (error) {
      const failure = failureOf(error);
      if (typeof failure === 'string') return failure;
      await markRefused(next.seq, failure.refused);
    }
  }
}

async function sendOne(account: Account, waiting: Waiting, seq: number): Promise<void> {
  if (waiting.kind === 'save') {
    const save = await markTried(seq);
    if (save === undefined) return;
    const { result, meta } = await withToken(account, (token) => sendSave(account, token, save));
    const isDuplicate = meta['duplicate'] === true;
    saved.set(save.memoryId, { memory: result, isDuplicate });
    await endSave(save, { id: result.id, isDuplicate, notes: result.notes });
    return;
  }
  const { workspaceId, memoryId: id, notes, tags, spaceId } = waiting;
  const { result } = await withToken(account, (token) =>
    callsAt(account.server, token)('memory.update', {
      params: { workspaceId, id },
      body: {
        ...(notes !== undefined && { notes }),
        ...(tags !== undefined && { tags }),
        ...(spaceId !== undefined && { spaceId }),
      },
    }),
  );
  for (const [key, each] of saved) if (each.memory.id === id) saved.set(key, { ...each, memory: result });
  await endWaiting(seq);
}

function sendSave(account: Account, token: string, save: WaitingSave): Promise<Answer<'memory.create'>> {
  const { workspaceId, memoryId, url, title, html, notes, tags, spaceId } = save;
  return callsAt(account.server, token)('memory.create', {
    body: {
      workspaceId,
      id: memoryId,
      url,
      origin: 'browser_extension' as const,
      // With its HTML a page names itself, by the rule that applies to every page.
      ...(html === null ? { title: title === '' ? null : title } : { page: true }),
      ...(notes && { notes }),
      ...(tags && { tags }),
      ...(spaceId && { spaceId }),
    },
    headers: { 'idempotency-key': memoryId, ...(html !== null && { 'x-upload': 'file' }) },
    ...(html !== null && {
      file: { name: 'page.html', bytes: new TextEncoder().encode(html), type: 'text/html' },
    }),
  });
}
