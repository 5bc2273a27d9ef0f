// The calls of the public life of threads.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { text } from '../define/fields.ts';
import { pageQuery } from '../define/list-query.ts';
import { idOf } from '../define/id-schema.ts';
import { reportBody } from '../spaces/public-endpoints.ts';
import { publicMessage, publicThread } from './public-thread.ts';
import { thread } from './thread.ts';
import { CONVERSATION_HOURS, CONVERSATION_MESSAGES_MAX } from './visitor-conversation.ts';

const { shape } = thread.row;
const one = z.object({ workspaceId: shape.workspaceId, id: shape.id });

/** A thread with its messages, oldest first. */
const conversation = z.object({ thread: publicThread, messages: z.array(publicMessage) });

export const publicThreadEndpoints = {
  'public_thread.create': defineEndpoint({
    method: 'POST',
    path: '/v1/public/threads',
    summary:
      'A visitor asks a space; the answer quotes what the space publishes. 403 where the workspace’s `publicChat` is off. An address may ask 5 times an hour, and a workspace takes 200 questions a day.',
    auth: 'public',
    rate: 'question',
    refusals: ['forbidden'],
    body: z.object({
      workspaceId: shape.workspaceId,
      spaceId: idOf('space'),
      content: text(LIMITS.description).trim().min(1, 'Required'),
      /** Must stay empty; only machines fill it. */
      website: z.string().max(0).optional(),
    }),
    result: conversation.extend({
      /** Opens the conversation for further questions (`public_message.create`). Returned this once. */
      visitorKey: z.string(),
    }),
    status: 201,
  }),
  'public_message.create': defineEndpoint({
    method: 'POST',
    path: '/v1/public/messages/{workspaceId}/{threadId}',
    summary: `A visitor asks on in a thread that they began, with the key that its first question returned; the question is understood from those before it. For ${CONVERSATION_HOURS} hours, up to ${CONVERSATION_MESSAGES_MAX} messages with the answers, and only while the workspace’s \`publicChat\` is on. An address may ask 20 times an hour; the limit of the workspace is that of first questions.`,
    auth: 'public',
    rate: 'ask_on',
    refusals: ['forbidden'],
    params: z.object({ workspaceId: shape.workspaceId, threadId: shape.id }),
    body: z.object({
      visitorKey: z.string().min(1).max(100),
      content: text(LIMITS.description).trim().min(1, 'Required'),
      /** Must stay empty; only machines fill it. */
      website: z.string().max(0).optional(),
    }),
    result: conversation,
    status: 201,
  }),
  'public_thread.get_by_slug': defineEndpoint({
    method: 'GET',
    path: '/v1/public/threads/slug/{workspaceSlug}/{id}',
    summary: 'One public or unlisted thread by its address; an earlier address of the workspace answers too.',
    auth: 'public',
    params: z.object({ workspaceSlug: z.string().max(100), id: shape.id }),
    result: publicThread,
  }),
  'public_thread.list': defineEndpoint({
    method: 'GET',
    path: '/v1/public/threads/{workspaceId}',
    summary: 'The public threads of a workspace.',
    auth: 'public',
    params: z.object({ workspaceId: shape.workspaceId }),
    query: pageQuery(['created', 'updated', 'name']),
    result: z.array(publicThread),
    list: true,
  }),
  'public_thread.get': defineEndpoint({
    method: 'GET',
    path: '/v1/public/threads/{workspaceId}/{id}',
    summary: 'One public or unlisted thread.',
    auth: 'public',
    params: one,
    result: publicThread,
  }),
  'public_thread.report': defineEndpoint({
    method: 'POST',
    path: '/v1/public/threads/report',
    summary: 'Reports something that should not be public to the operators; the answer is always the same.',
    auth: 'public',
    rate: 'report',
    body: reportBody(shape.id),
    result: z.null(),
  }),
  'public_message.list': defineEndpoint({
    method: 'GET',
    path: '/v1/public/messages/{workspaceId}/{threadId}',
    summary: 'The messages of a public or unlisted thread, oldest first unless asked otherwise.',
    auth: 'public',
    params: z.object({ workspaceId: shape.workspaceId, threadId: shape.id }),
    query: pageQuery(['createdAt']).extend({ order: z.enum(['asc', 'desc']).default('asc') }),
    result: z.array(publicMessage),
    list: true,
  }),
} as const;
