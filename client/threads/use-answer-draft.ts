/**
 * The text of an answer while it is written, from the stream of its thread. The finished answer comes by sync like every
 * message; without the stream only its beginning is seen later.
 */
import { useEffect, useState } from 'react';
import type { Thread } from '#shared/threads/thread.ts';
import { sessionToken } from '#client/api/session.ts';
import { eventsOf } from '#client/replica/worker/event-stream.ts';
import { isAborted } from '#client/shell/problem-toast.ts';

const AGAIN_MS = 1_000;

interface Delta {
  id: string;
  seq: number;
  text: string;
}

/** The delta in the data of an event; undefined for all other events. */
function deltaIn(data: string): Delta | undefined {
  const value: unknown = data === '' ? undefined : JSON.parse(data);
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('id' in value && 'seq' in value && 'text' in value)) return undefined;
  const { id, seq, text } = value;
  const isDelta = typeof id === 'string' && typeof seq === 'number' && typeof text === 'string';
  return isDelta ? { id, seq, text } : undefined;
}

/** Calls `show` with the whole text of each answer as it grows, by the id that it will have, until the signal aborts. */
async function followDrafts(
  { id, workspaceId }: Pick<Thread, 'id' | 'workspaceId'>,
  show: (id: string, text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(`/v1/threads/${workspaceId}/${id}/follow`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${sessionToken() ?? ''}` },
    credentials: 'omit',
    signal,
  });
  if (!response.ok || response.body === null) throw new Error(`The stream answered ${response.status}`);
  const texts = new Map<string, string>();
  for await (const data of eventsOf(response.body)) {
    const delta = deltaIn(data);
    if (delta === undefined) continue;
    const whole = (texts.get(delta.id) ?? '').slice(0, delta.seq) + delta.text;
    texts.set(delta.id, whole);
    show(delta.id, whole);
  }
}

interface Draft {
  id: string;
  text: string;
}

/** The answer that is being written; undefined when there is none, and while `isWanted` is false. */
export function useAnswerDraft(
  { id, workspaceId }: Pick<Thread, 'id' | 'workspaceId'>,
  isWanted: boolean,
): Draft | undefined {
  const [draft, setDraft] = useState<Draft>();
  useEffect(() => {
    if (!isWanted) return undefined;
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (replyId: string, text: string) => setDraft({ id: replyId, text });
    const run = async () => {
      try {
        await followDrafts({ id, workspaceId }, show, leave.signal);
      } catch (failure) {
        if (!isAborted(failure)) console.info('threads: the stream of a thread ended', failure);
      }
      // With jitter: the streams of many readers end together when a server does.
      if (!leave.signal.aborted) timer = setTimeout(() => void run(), AGAIN_MS * (1 + Math.random()));
    };
    void run();
    return () => {
      leave.abort();
      clearTimeout(timer);
      setDraft(undefined);
    };
  }, [isWanted, id, workspaceId]);
  return draft;
}
