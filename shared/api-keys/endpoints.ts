// The calls about API keys and the catalogue of scopes.
import { z } from 'zod';
import { CREDENTIAL_SPACES_MAX } from './limits.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { listQuery } from '../define/list-query.ts';
import { apiKey } from './api-key.ts';
import { scopeSchema } from './scopes.ts';

const keyShown = apiKey.row.meta({ id: 'ApiKey' });
const inWorkspace = z.object({ workspaceId: idOf('workspace') });
const oneKey = inWorkspace.extend({ id: idOf('api_key') });

export const apiKeyEndpoints = {
  'api_key.list': defineEndpoint({
    method: 'GET',
    path: '/v1/api_keys/{workspaceId}',
    summary: 'Lists API keys: owners and admins see all of the workspace, members their own.',
    auth: 'session_member',
    params: inWorkspace,
    query: listQuery(apiKey),
    result: z.array(keyShown),
    list: true,
  }),
  'api_key.get': defineEndpoint({
    method: 'GET',
    path: '/v1/api_keys/{workspaceId}/{id}',
    summary: 'One API key.',
    auth: 'session_member',
    params: oneKey,
    result: keyShown,
  }),
  'api_key.create': defineEndpoint({
    method: 'POST',
    path: '/v1/api_keys',
    summary:
      'Creates an API key. Its secret is in this answer and nowhere else. It expires after a year unless `expiresAt` says otherwise; null means never. With `spaceIds` it reaches only what is in these spaces, and its scopes may name nothing that belongs to no space: threads, messages and members.',
    auth: 'session_member',
    body: z.object({
      ...apiKey.createArgs.shape,
      scopes: apiKey.createArgs.shape.scopes
        .min(1, 'Choose at least one scope')
        .transform((scopes) => [...new Set(scopes)]),
      spaceIds: z
        .array(idOf('space'))
        .min(1, 'Choose at least one space')
        .max(CREDENTIAL_SPACES_MAX, `At most ${CREDENTIAL_SPACES_MAX} spaces`)
        .transform((ids) => [...new Set(ids)])
        .nullable()
        .default(null),
      expiresAt: apiKey.createArgs.shape.expiresAt.optional(),
    }),
    result: keyShown.extend({ secret: idOf('api_key_token') }).meta({ id: 'NewApiKey' }),
    status: 201,
    secret: true,
  }),
  'api_key.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/api_keys/{workspaceId}/{id}',
    summary: 'Revokes an API key at once.',
    auth: 'session_member',
    params: oneKey,
    result: z.null(),
  }),
  'scope.list': defineEndpoint({
    method: 'GET',
    path: '/v1/scopes',
    summary: 'All scopes that keys and tokens can carry, with their meaning.',
    auth: 'public',
    result: z.array(z.object({ id: scopeSchema, label: z.string() })),
  }),
} as const;
