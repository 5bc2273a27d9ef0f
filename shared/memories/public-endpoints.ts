// The calls for memories of public spaces. Only fields of the allow-list are returned, and only these are searched: a
// search in notes would reveal their content.
import { z } from 'zod';
import { PUBLIC } from '../spaces/limits.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { text } from '../define/fields.ts';
import { pageFields, pageQuery } from '../define/list-query.ts';
import { idOf } from '../define/id-schema.ts';
import { memory } from './memory.ts';
import { placedMemory, publicMemory } from './public-memory.ts';

const inSpace = z.object({ workspaceId: memory.row.shape.workspaceId, spaceId: idOf('space') });

export const publicMemoryEndpoints = {
  'public_memory.search': defineEndpoint({
    method: 'POST',
    path: '/v1/public/memories/search',
    spaceless: true,
    summary: 'Searches what is shown of memories in public spaces; an unlisted space only when it is named.',
    auth: 'public',
    rate: 'search',
    search: true,
    body: z.object({
      workspaceId: memory.row.shape.workspaceId.optional(),
      spaceId: idOf('space').optional(),
      query: text(PUBLIC.queryMax).trim().min(PUBLIC.queryMin, 'Too short'),
      ...pageFields,
    }),
    result: z.array(publicMemory),
    list: true,
  }),
  'public_memory.list': defineEndpoint({
    method: 'GET',
    path: '/v1/public/memories/{workspaceId}/{spaceId}',
    summary: 'The memories of a public or unlisted space.',
    auth: 'public',
    params: inSpace,
    query: pageQuery(['created', 'updated', 'title']),
    result: z.array(publicMemory),
    list: true,
  }),
  'public_memory.get': defineEndpoint({
    method: 'GET',
    path: '/v1/public/memories/{workspaceId}/{spaceId}/{id}',
    summary: 'One memory of a public or unlisted space, and what stands beside it there.',
    auth: 'public',
    params: inSpace.extend({ id: memory.row.shape.id }),
    result: placedMemory,
  }),
} as const;
