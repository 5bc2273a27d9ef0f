/** The call about product news. */
import type { newsEndpoints } from '#shared/site/news-endpoints.ts';
import { requireStaff } from '../accounts/service.ts';
import type { Handlers } from '../http/call.ts';
import { announce } from './news.ts';

export const newsHandlers = {
  'news.create': async ({ context, actor, body }) => {
    requireStaff(context, actor);
    return { result: await announce(context, body) };
  },
} satisfies Handlers<typeof newsEndpoints>;
