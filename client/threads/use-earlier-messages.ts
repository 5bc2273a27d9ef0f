/**
 * The messages of an open thread: the newest of those on this device first, then more of them, then those before them, fetched
 * from the server page by page. Shown messages stay while the page is open.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { PAGE_SIZE_MAX } from '#shared/constants.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { byPlace } from '#shared/threads/message-order.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { useSyncStatus } from '#client/replica/use-sync-status.ts';
import { withoutVersions, type Versions } from '#client/threads/answer-versions.tsx';
import { useMessages } from '#client/threads/queries.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { isAborted, serverProblemOf } from '#client/shell/problem-toast.ts';

/** none = the beginning of the thread is shown; more = there is something before it, or that is not known yet. */
export type EarlierState = 'none' | 'more' | 'loading' | 'failed' | 'offline';

/** So many messages are drawn at once; a long thread opens as fast as a short one. */
export const MESSAGES_DRAWN = 50;

export interface EarlierMessages {
  /** Those to draw, oldest first. */
  messages: readonly Message[];
  versions: Versions;
  /** How many are known, drawn or not. */
  known: number;
  earlier: EarlierState;
  load: () => void;
}

/** Both lists in order, each message once; of the loaded ones those before the first on the device. */
function joined(kept: ReadonlyMap<string, Message>, local: readonly Message[]): readonly Message[] {
  const [first] = local;
  const before = [...kept.values()].filter((message) => first === undefined || byPlace(message, first) < 0);
  if (before.length === 0) return local;
  return [...before.sort(byPlace), ...local];
}

/** Pass the thread's id as React key. */
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
  const all = joined(kept, local);
  const { turns: messages, versions } = useMemo(() => withoutVersions(all), [all]);
  // The first rendered message stays the first one when others are written; earlier ones are rendered on request.
  const [first, setFirst] = useState<string>();
  const found = messages.findIndex(({ id }) => id === first);
  const start = found >= 0 ? found : Math.max(0, messages.length - MESSAGES_DRAWN);
  const firstNow = messages[start]?.id;
  if (firstNow !== first) setFirst(firstNow);
  // No messages here: they were never loaded to this device, are being loaded, or there are none. Only the server
  // knows, unless the thread was created here and is not on the server yet.
  const isOwnNew = useSyncStatus().pending.some(
    ({ name, subject }) => name === 'thread.create' && subject === thread.id,
  );
  const [begunHere, setBegunHere] = useState(false);
  if (isOwnNew && !begunHere) setBegunHere(true);
  const isUnknown = local.length === 0 && !begunHere;
  const isOnServer = progress !== 'reached' && (isFull || isUnknown || kept.size > 0);

  const load = () => {
    if (start > 0) {
      setFirst(messages[Math.max(0, start - MESSAGES_DRAWN)]?.id);
      return;
    }
    if (progress === 'loading' || !online) return;
    leave.current = new AbortController();
    setProgress('loading');
    const [oldest] = all;
    const createdAt = oldest === undefined ? undefined : `..${oldest.createdAt}`;
    api(
      'message.list',
      {
        params: { workspaceId: thread.workspaceId, threadId: thread.id },
        query: {
          order: 'desc',
          perPage: PAGE_SIZE_MAX,
          versions: 'all',
          ...(createdAt === undefined ? {} : { createdAt }),
        },
      },
      { signal: leave.current.signal },
    ).then(
      ({ result }) => {
        const known = new Set<string>(all.map(({ id }) => id));
        const fresh = result.filter(({ id }) => !known.has(id));
        setKept((now) => new Map([...now, ...fresh.map((message) => [message.id, message] as const)]));
        setProgress(result.length < PAGE_SIZE_MAX || fresh.length === 0 ? 'reached' : 'idle');
      },
      (failure: unknown) => {
        if (isAborted(failure)) return;
        // A thread that is only on this device has no messages on the server.
        if (serverProblemOf(failure)?.status === 404) return setProgress('reached');
        console.info('threads: earlier messages could not be fetched', failure);
        setProgress('failed');
      },
    );
  };
  const earlier =
    start > 0
      ? 'more'
      : !isOnServer
        ? 'none'
        : progress === 'loading'
          ? 'loading'
          : !online
            ? 'offline'
            : progress === 'failed'
              ? 'failed'
              : 'more';
  return { messages: messages.slice(start), versions, known: messages.length, earlier, load };
}
