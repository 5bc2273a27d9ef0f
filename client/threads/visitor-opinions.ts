/**
 * This visitor's ratings of the answers of one thread, as stored on the server: loaded once the page runs, and updated
 * with each press. Small, because public pages load it.
 */
import type { Rating } from '#shared/threads/conversation.ts';
import { fetchPublic } from '#client/call-api.ts';
import type { Opinion } from '#client/threads/rating-opinion.ts';
import { createStore } from '#client/shell/store.ts';

export interface ThreadPlace {
  workspaceId: string;
  threadId: string;
}

interface Known {
  /** Whether the server has responded: only then is an answer without a rating an unrated one. */
  isAsked: boolean;
  opinions: ReadonlyMap<string, Opinion>;
}

const NOTHING: Known = { isAsked: false, opinions: new Map() };

/** Of the thread that is open. */
export const visitorOpinions = createStore(NOTHING);
let current: string | undefined;

/** Loads once per thread, and again after a failure; ratings made meanwhile are newer than the response. */
export async function askOpinions({ workspaceId, threadId }: ThreadPlace): Promise<void> {
  if (current === threadId) return;
  current = threadId;
  visitorOpinions.set(NOTHING);
  try {
    const path = `/v1/public/ratings/${workspaceId}/${threadId}?perPage=100`;
    const told = await fetchPublic<(Rating & { messageId: string })[]>('GET', path);
    if (current !== threadId) return;
    const opinions = new Map(told.map(({ messageId, ...opinion }) => [messageId, opinion]));
    visitorOpinions.set({
      isAsked: true,
      opinions: new Map([...opinions, ...visitorOpinions.get().opinions]),
    });
  } catch (failure) {
    if (current === threadId) current = undefined;
    console.info('threads: own ratings could not be fetched', failure);
  }
}

/** Sends it to the server; what the server stores is shown, and nothing else. Returns whether it was reached. */
export async function sendOpinion(
  place: ThreadPlace,
  messageId: string,
  { value, reason, comment }: Partial<Opinion>,
): Promise<boolean> {
  const why = { reason: reason ?? undefined, comment: comment ?? undefined };
  try {
    const said = { ...place, messageId, value, ...why };
    const kept = await fetchPublic<Rating>('POST', '/v1/public/messages/rate', said);
    const { isAsked, opinions } = visitorOpinions.get();
    visitorOpinions.set({ isAsked, opinions: new Map([...opinions, [messageId, kept]]) });
    return true;
  } catch (failure) {
    console.info('threads: a rating was not sent', failure);
    return false;
  }
}
