// The calls about threads and their messages (specification section 7, PRODUCT 5.7).
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { text } from '../define/fields.ts';
import { listQuery, pageFields } from '../define/list-query.ts';
import { idOf } from '../define/id-schema.ts';
import { searchHit } from '../memories/search-hit.ts';
import { message } from './message.ts';
import { thread } from './thread.ts';

const { shape } = thread.row;
const inWorkspace = z.object({ workspaceId: shape.workspaceId });
const one = inWorkspace.extend({ id: shape.id });
const inThread = inWorkspace.extend({ threadId: shape.id });
const content = message.row.shape.content.trim().min(1, 'Required');
/** A thread as REST shows it. */
const shown = thread.row.omit({ deletedAt: true }).meta({ id: 'Thread' });
const messageShown = message.row.meta({ id: 'Message' });

export const threadEndpoints = {
  'thread.list': defineEndpoint({
    method: 'GET',
    path: '/v1/threads/{workspaceId}',
    summary: 'Lists the threads that the person can read.',
    auth: 'member',
    scope: 'threads:read',
    params: inWorkspace,
    query: listQuery(thread),
    result: z.array(shown),
    list: true,
  }),
  'thread.create': defineEndpoint({
    method: 'POST',
    path: '/v1/threads',
    summary: 'Begins a thread; `content` is its first message, and its name when none is given.',
    auth: 'member',
    scope: 'threads:write',
    body: z
      .object({
        workspaceId: shape.workspaceId,
        id: shape.id.optional(),
        name: shape.name.optional(),
        content: content.optional(),
        origin: shape.origin.default('api'),
        visibility: shape.visibility.optional(),
      })
      .refine((body) => body.name !== undefined || body.content !== undefined, {
        path: ['name'],
        message: 'Send a name or a first message as content',
      }),
    result: shown,
    status: 201,
  }),
  'thread.search': defineEndpoint({
    method: 'POST',
    path: '/v1/threads/search',
    summary: 'Searches names, summaries and messages of threads.',
    auth: 'member',
    scope: 'search:read',
    rate: 'search',
    search: true,
    body: z.object({
      workspaceId: shape.workspaceId,
      query: text(LIMITS.searchQuery).trim().min(1, 'Required'),
      ...pageFields,
    }),
    result: z.array(shown.extend(searchHit)),
    list: true,
  }),
  'thread.get': defineEndpoint({
    method: 'GET',
    path: '/v1/threads/{workspaceId}/{id}',
    summary: 'One thread.',
    auth: 'member',
    scope: 'threads:read',
    params: one,
    result: shown,
  }),
  'thread.replace': defineEndpoint({
    method: 'PUT',
    path: '/v1/threads/{workspaceId}/{id}',
    summary: 'Replaces all editable fields.',
    auth: 'member',
    scope: 'threads:write',
    params: one,
    body: z.object({ name: shape.name, visibility: shape.visibility.default('private') }),
    result: shown,
  }),
  'thread.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/threads/{workspaceId}/{id}',
    summary: 'Changes the given fields.',
    auth: 'member',
    scope: 'threads:write',
    params: one,
    body: thread.patchArgs,
    result: shown,
  }),
  'thread.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/threads/{workspaceId}/{id}',
    summary: 'Deletes a thread; it can be brought back in the app for 30 days.',
    auth: 'member',
    scope: 'threads:write',
    params: one,
    result: z.null(),
  }),
  'message.list': defineEndpoint({
    method: 'GET',
    path: '/v1/messages/{workspaceId}/{threadId}',
    summary: 'Lists the messages of a thread.',
    auth: 'member',
    scope: 'threads:read',
    params: inThread,
    query: listQuery(message),
    result: z.array(messageShown),
    list: true,
  }),
  'message.create': defineEndpoint({
    method: 'POST',
    path: '/v1/messages/{workspaceId}/{threadId}',
    summary:
      'Stores a message of the person. This server does not answer messages, so `reply` is null; memories and spaces to answer from are checked, not kept, and named in `meta.unused`.',
    auth: 'member',
    scope: 'messages:write',
    params: inThread,
    body: z.object({
      id: message.row.shape.id.optional(),
      content,
      memoryIds: z.array(idOf('memory')).max(100).optional(),
      spaceIds: z.array(idOf('space')).max(100).optional(),
    }),
    result: z.object({ message: messageShown, reply: messageShown.nullable() }),
    status: 201,
  }),
  'message.get': defineEndpoint({
    method: 'GET',
    path: '/v1/messages/{workspaceId}/{threadId}/{id}',
    summary: 'One message.',
    auth: 'member',
    scope: 'threads:read',
    params: inThread.extend({ id: message.row.shape.id }),
    result: messageShown,
  }),
} as const;
