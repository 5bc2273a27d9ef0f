/** The calls about API keys and scopes, one small function per row. */
import type { apiKeyEndpoints } from '#shared/api-keys/endpoints.ts';
import { isScope, SCOPES } from '#shared/api-keys/scopes.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { createKey, getKey, keysFor, revokeKey } from './service.ts';

export const apiKeyHandlers = {
  'api_key.list': ({ context, actor, query }) =>
    listPage(keysFor(context, actor), { table: 'api_key', query }),
  'api_key.get': async ({ context, actor, params }) => ({
    result: await getKey(context, actor, params.id),
  }),
  'api_key.create': async ({ context, actor, body: { workspaceId: _workspaceId, ...given } }) => ({
    result: await createKey(context, actor, given),
  }),
  'api_key.remove': ({ context, actor, params }) => revokeKey(context, actor, params.id),
  'scope.list': () => ({
    result: Object.entries(SCOPES).flatMap(([id, label]) => (isScope(id) ? [{ id, label }] : [])),
  }),
} satisfies Handlers<typeof apiKeyEndpoints>;
