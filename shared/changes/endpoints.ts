// The call with which API clients follow a workspace.
import { z } from 'zod';
import { CHANGES } from '../sync/limits.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { wholeNumber } from '../define/list-query.ts';
import { changePage } from './change.ts';

export const changeEndpoints = {
  'change.list': defineEndpoint({
    method: 'GET',
    path: '/v1/changes/{workspaceId}',
    summary:
      'What changed since a cursor: rows as they are now, and ids of rows that are gone or out of sight. Without a cursor it begins with everything, or with what changes `from=now` on. Kinds whose scope the key or token lacks are left out.',
    auth: 'member',
    scope: 'memories:read',
    limitable: true,
    guests: true,
    params: z.object({ workspaceId: idOf('workspace') }),
    query: z.object({
      cursor: z.string().max(CHANGES.cursorMax).optional(),
      from: z.literal('now').optional(),
      limit: wholeNumber(1, CHANGES.limitMax).default(CHANGES.limit),
    }),
    result: changePage,
  }),
} as const;
