// The calls about threads and their messages.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { text } from '../define/fields.ts';
import { listQuery, pageFields } from '../define/list-query.ts';
import { searchHit } from '../memories/search-hit.ts';
import { answeredFrom, message } from './message.ts';
import { grantHolder, grantsInput, grantShown } from '../spaces/grant.ts';
import { SPACE_VIEWERS } from '../spaces/visibility.ts';
import { quotedMemory } from '../define/failure-schema.ts';
import { quotesChoice } from './quotes-choice.ts';
import { threadView } from './thread-view.ts';
import { thread } from './thread.ts';

const { shape } = thread.row;
const inWorkspace = z.object({ workspaceId: shape.workspaceId });
const one = inWorkspace.extend({ id: shape.id });
const inThread = inWorkspace.extend({ threadId: shape.id });
const content = message.row.shape.content.trim().min(1, 'Required');
/** A thread as REST shows it. */
const shown = thread.row.omit({ deletedAt: true }).meta({ id: 'Thread' });
/** One thread, with its grants for those who may change them. */
const shownWithGrants = shown
  .extend({ grants: z.array(grantShown).optional() })
  .meta({ id: 'ThreadWithGrants' });
const messageShown = message.row.meta({ id: 'Message' });

/** Who may read threads, and who may change them: guests too, but no key for chosen spaces. */
const readers = { auth: 'member', guests: true, scope: 'threads:read' } as const;
const writers = { auth: 'member', guests: true, scope: 'threads:write' } as const;

export const threadEndpoints = {
  'thread.list': defineEndpoint({
    method: 'GET',
    path: '/v1/threads/{workspaceId}',
    summary: 'Lists the threads that the person can read.',
    ...readers,
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
        ...thread.createArgs.shape,
        id: shape.id.optional(),
        name: shape.name.optional(),
        content: content.optional(),
        origin: shape.origin.default('api'),
      })
      .refine((body) => body.name !== undefined || body.content !== undefined, {
        path: ['name'],
        message: 'Send a name or a first message as content',
      }),
    example: { content: 'When is high water on Friday?' },
    result: shown,
    status: 201,
  }),
  'thread.branch': defineEndpoint({
    method: 'POST',
    path: '/v1/threads/{workspaceId}/{id}/branch',
    summary:
      'Begins a private thread of the person with the messages of another thread up to a certain one. They keep their authors and times.',
    auth: 'member',
    scope: 'threads:write',
    params: one,
    body: z.object({
      messageId: message.row.shape.id,
      /** Of the new thread. */
      newId: shape.id.optional(),
      name: shape.name.optional(),
    }),
    result: shown,
    status: 201,
  }),
  'thread.search': defineEndpoint({
    method: 'POST',
    path: '/v1/threads/search',
    spaceless: true,
    summary: 'Searches names, summaries and messages of threads.',
    auth: 'member',
    guests: true,
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
    ...readers,
    params: one,
    result: shownWithGrants,
  }),
  'thread.view_as': defineEndpoint({
    method: 'GET',
    path: '/v1/threads/{workspaceId}/{id}/view_as',
    summary: 'What a member, a guest or a visitor sees of a thread, for those who may change who sees it.',
    auth: 'session_member',
    params: one,
    query: z.object({ viewer: z.enum(SPACE_VIEWERS).default('member') }),
    result: threadView,
  }),
  'thread.private_quotes': defineEndpoint({
    method: 'POST',
    path: '/v1/threads/{workspaceId}/{id}/private_quotes',
    summary:
      'The memories whose passages a change would show to people who cannot read them. Changes nothing; the change itself needs a choice in `quotes` when there are any.',
    auth: 'session_member',
    params: one,
    body: thread.patchArgs
      .pick({ visibility: true, publicUntil: true })
      .extend({ holder: grantHolder.optional() }),
    result: z.array(quotedMemory),
  }),
  'thread.replace': defineEndpoint({
    method: 'PUT',
    path: '/v1/threads/{workspaceId}/{id}',
    summary: 'Replaces all editable fields.',
    ...writers,
    params: one,
    // A freeze is lifted on purpose only, never by leaving a field out.
    body: thread.replaceArgs
      .omit({ publicUntil: true })
      .extend({ grants: grantsInput, quotes: quotesChoice }),
    result: shownWithGrants,
  }),
  'thread.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/threads/{workspaceId}/{id}',
    summary: 'Changes the given fields.',
    ...writers,
    params: one,
    body: thread.patchArgs.extend({ grants: grantsInput, quotes: quotesChoice }),
    result: shownWithGrants,
  }),
  'thread.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/threads/{workspaceId}/{id}',
    summary: 'Deletes a thread; it can be brought back in the app for 30 days.',
    ...writers,
    params: one,
    result: z.null(),
  }),
  'message.list': defineEndpoint({
    method: 'GET',
    path: '/v1/messages/{workspaceId}/{threadId}',
    summary: 'Lists the messages of a thread.',
    ...readers,
    params: inThread,
    query: listQuery(message).extend({ versions: z.enum(['none', 'all']).default('none') }),
    result: z.array(messageShown),
    list: true,
  }),
  'message.create': defineEndpoint({
    method: 'POST',
    path: '/v1/messages/{workspaceId}/{threadId}',
    summary:
      'Stores a message of the person. Its answer, from all that the person reads or from the named memories and spaces, follows as a message whose `replyTo` is its id; `reply` is null until there is one.',
    auth: 'member',
    guests: true,
    scope: 'messages:write',
    params: inThread,
    body: answeredFrom.extend({ id: message.row.shape.id.optional(), content }),
    result: z.object({ message: messageShown, reply: messageShown.nullable() }),
    status: 201,
  }),
  'message.get': defineEndpoint({
    method: 'GET',
    path: '/v1/messages/{workspaceId}/{threadId}/{id}',
    summary: 'One message.',
    ...readers,
    params: inThread.extend({ id: message.row.shape.id }),
    result: messageShown,
  }),
} as const;
