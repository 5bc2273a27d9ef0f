/** The calls about feeds, one small function per row. */
import type { feedEndpoints } from '#shared/capture/feed-endpoints.ts';
import type { Handlers } from '../../http/call.ts';
import { changeFeed, checkNow, followFeed, getFeed, leaveFeed, listFeeds } from './feed-service.ts';

export const feedHandlers = {
  'feed.list': ({ context, actor, query }) => listFeeds(context, actor, query),
  'feed.create': async ({ context, actor, body }) => ({ result: await followFeed(context, actor, body) }),
  'feed.get': async ({ context, actor, params }) => ({ result: await getFeed(context, actor, params.id) }),
  'feed.update': async ({ context, actor, params, body }) => ({
    result: await changeFeed(context, actor, params.id, body),
  }),
  'feed.remove': async ({ context, actor, params }) => {
    await leaveFeed(context, actor, params.id);
    return { result: null };
  },
  'feed.check': async ({ context, actor, params }) => ({ result: await checkNow(context, actor, params.id) }),
} satisfies Handlers<typeof feedEndpoints>;
