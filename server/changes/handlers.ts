/** The call that lists changes. */
import type { changeEndpoints } from '#shared/changes/endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { listChanges, presentCursor } from './service.ts';

export const changeHandlers = {
  'change.list': async ({ context, actor, query }) => {
    if (query.from === 'now' && query.cursor === undefined)
      return { result: { changes: [], cursor: await presentCursor(context, actor), hasMore: false } };
    return { result: await listChanges(context, actor, query) };
  },
} satisfies Handlers<typeof changeEndpoints>;
