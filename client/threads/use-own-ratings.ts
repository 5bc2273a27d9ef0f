/**
 * The person's ratings of the answers of a thread, from all devices: loaded from the server once there is an answer to
 * rate. Ratings need a network; offline the last known ones are shown.
 */
import { useEffect, useState } from 'react';
import { PAGE_SIZE_MAX } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { UNRATED, type Opinion } from '#client/threads/rating-opinion.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { perform } from '#client/shell/perform.ts';
import { isAborted } from '#client/shell/problem-toast.ts';

type Opinions = ReadonlyMap<string, Opinion>;

interface OwnRatings {
  /** By message; a missing one is unrated. */
  opinions: Opinions;
  /** Shown at once; reverted, and resolved to false, when the server refuses it. */
  rate: (messageId: Id<'message'>, opinion: Opinion) => Promise<boolean>;
}

/** Loads nothing while `isWanted` is false. */
export function useOwnRatings(
  { id: threadId, workspaceId }: Pick<Thread, 'id' | 'workspaceId'>,
  isWanted: boolean,
): OwnRatings {
  const [known, setKnown] = useState<Opinions>(new Map());
  /** Ratings made on this page; a later response of the server does not replace them. */
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
    const isKept = await perform(() =>
      api('message.rate', { body: { workspaceId, threadId, messageId, value, ...why } }),
    );
    if (!isKept) say(before);
    return isKept;
  };
  return { opinions, rate };
}
