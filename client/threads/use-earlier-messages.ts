/**
 * The messages of an open thread: those on this device, and those before them, fetched from the server page by page.
 * A device keeps the newest of each thread only; what was fetched stays while the page is open.
 */
import { useEffect, useRef, useState } from 'react';
import { PAGE_SIZE_MAX, SYNC } from '#shared/constants.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { useMessages } from '#client/threads/queries.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { isAborted, serverProblemOf } from '#client/shell/problem-toast.ts';

/** none = the beginning of the thread is shown; more = there is something before it. */
export type EarlierState = 'none' | 'more' | 'loading' | 'failed' | 'offline';

interface EarlierMessages {
  /** Oldest first. */
  messages: readonly Message[];
  earlier: EarlierState;
  load: () => void;
}

function isBefore(a: Message, b: Message): boolean {
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;
}

/** Both lists in order, each message once; of the kept ones those before the first on the device. */
function joined(kept: ReadonlyMap<string, Message>, local: readonly Message[]): readonly Message[] {
  const [first] = local;
  const before = [...kept.values()].filter((message) => first === undefined || isBefore(message, first));
  if (before.length === 0) return local;
  return [...before.sort((a, b) => (isBefore(a, b) ? -1 : 1)), ...local];
}

/** Give the component the thread's id as React key. */
export function useEarlierMessages(thread: Thread): EarlierMessages {
  const local = useMessages(thread.id);
  const [kept, setKept] = useState<ReadonlyMap<string, Message>>(new Map());
  const [progress, setProgress] = useState<'idle' | 'loading' | 'failed' | 'reached'>('idle');
  const online = useIsOnline();
  const leave = useRef<AbortController>(undefined);
  useEffect(() => () => leave.current?.abort(), []);

  const isFull = local.length >= SYNC.windowMessages;
  // A full window moves on with every new message: what leaves it stays on the page.
  const [lastFull, setLastFull] = useState<readonly Message[]>();
  if (isFull && lastFull !== local) {
    setLastFull(local);
    setKept(new Map([...kept, ...local.map((message) => [message.id, message] as const)]));
  }
  const messages = joined(kept, local);
  // Nothing here: it was never brought to this device, is on its way, or nobody wrote. The server knows; without it,
  // a thread that never changed counts as empty.
  const isUnknown = local.length === 0 && (online || thread.updated !== thread.created);
  const mayHaveMore = progress !== 'reached' && (isFull || isUnknown || kept.size > 0);

  const load = () => {
    if (progress === 'loading' || !online) return;
    leave.current = new AbortController();
    setProgress('loading');
    const [oldest] = messages;
    const createdAt = oldest === undefined ? undefined : `..${oldest.createdAt}`;
    api(
      'message.list',
      {
        params: { workspaceId: thread.workspaceId, threadId: thread.id },
        query: { order: 'desc', perPage: PAGE_SIZE_MAX, ...(createdAt === undefined ? {} : { createdAt }) },
      },
      { signal: leave.current.signal },
    ).then(
      ({ result }) => {
        const known = new Set<string>(messages.map(({ id }) => id));
        const fresh = result.filter(({ id }) => !known.has(id));
        setKept((now) => new Map([...now, ...fresh.map((message) => [message.id, message] as const)]));
        setProgress(result.length < PAGE_SIZE_MAX || fresh.length === 0 ? 'reached' : 'idle');
      },
      (failure: unknown) => {
        if (isAborted(failure)) return;
        // A thread that only this device knows has nothing on the server.
        if (serverProblemOf(failure)?.status === 404) return setProgress('reached');
        console.info('threads: earlier messages could not be fetched', failure);
        setProgress('failed');
      },
    );
  };
  const earlier = !mayHaveMore
    ? 'none'
    : progress === 'loading'
      ? 'loading'
      : !online
        ? 'offline'
        : progress === 'failed'
          ? 'failed'
          : 'more';
  return { messages, earlier, load };
}
