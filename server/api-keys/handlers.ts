/** The catalogue of scopes. */
import type { apiKeyEndpoints } from '#shared/api-keys/endpoints.ts';
import { isScope, SCOPES } from '#shared/api-keys/scopes.ts';
import type { Handlers } from '../http/call.ts';

export const apiKeyHandlers = {
  'scope.list': () => ({
    result: Object.entries(SCOPES).flatMap(([id, label]) => (isScope(id) ? [{ id, label }] : [])),
  }),
} satisfies Handlers<typeof apiKeyEndpoints>;
