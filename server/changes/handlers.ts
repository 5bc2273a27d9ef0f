/** The call that lists changes. */
import type { changeEndpoints } from '#shared/changes/endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { listChanges } from './service.ts';

export const changeHandlers = {
  'change.list': async ({ context, actor, query }) => ({
    result: await listChanges(context, actor, query),
  }),
} satisfies Handlers<typeof changeEndpoints>;
