/**
 * What the person thinks of the answers of a thread, on whichever device it was said: read from the server once there is
 * an answer to rate. Ratings need a network; without one the last known are shown.
 */
import { useEffect, useState } from 'react';
import { PAGE_SIZE_MAX } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { UNRATED, type Opinion } from '#client/threads/rating-opinion.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { isAborted, showProblem } from '#client/shell/problem-toast.ts';

type Opinions = ReadonlyMap<string, Opinion>;

interface OwnRatings {
  /** By message; a missing one is unrated. */
  opinions: Opinions;
  /** Shown at once; taken back, and answered with false, when the server does not keep it. */
  rate: (messageId: Id<'message'>, opinion: Opinion) => Promise<boolean>;
}

/** Asks for nothing while `isWanted` is false. */
export function useOwnRatings(
  { id: threadId, workspaceId }: Pick<Thread, 'id' | 'workspaceId'>,
  isWanted: boolean,
): OwnRatings {
  const [known, setKnown] = useState<Opinions>(new Map());
  /** What was said on this page; nothing that the server answers later takes it away. */
  const [said, setSaid] = useState<Opinions>(new Map());
  const online = useIsOnline();
  const isAsked = isWanted && online;
  useEffect(() => {
    if (!isAsked) return undefined;
    const leave = new AbortController();
    const query = { perPage: PAGE_SIZE_MAX };
    api('message.rated', { params: { workspaceId, threadId }, query }, { signal: leave.signal }).then(
      ({ result }) => setKnown(new Map(result.map((one) => [one.messageId, one]))),
      (failure: unknown) => {
        if (!isAborted(failure)) console.info('threads: own ratings could not be fetched', failure);
      },
    );
    return () => leave.abort();
  }, [isAsked, workspaceId, threadId]);
  const opinions = new Map([...known, ...said]);
  const rate = async (messageId: Id<'message'>, opinion: Opinion) => {
    const before = opinions.get(messageId) ?? UNRATED;
    const say = (now: Opinion) => setSaid((all) => new Map([...all, [messageId, now]]));
    say(opinion);
    const { value, reason, comment } = opinion;
    const why = { ...(reason === null ? {} : { reason }), ...(comment === null ? {} : { comment }) };
    try {
      await api('message.rate', { body: { workspaceId, threadId, messageId, value, ...why } });
      return true;
    } catch (failure) {
      say(before);
      showProblem(failure);
      return false;
    }
  };
  return { opinions, rate };
}
