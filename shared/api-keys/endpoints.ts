// The catalogue of scopes.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { scopeSchema } from './scopes.ts';

export const apiKeyEndpoints = {
  'scope.list': defineEndpoint({
    method: 'GET',
    path: '/v1/scopes',
    summary: 'All scopes that keys and tokens can carry, with their meaning.',
    auth: 'public',
    result: z.array(z.object({ id: scopeSchema, label: z.string() })),
  }),
} as const;
