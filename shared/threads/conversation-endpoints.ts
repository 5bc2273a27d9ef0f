// The calls that rate, export and follow a thread, for members and for the public.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { pageQuery } from '../define/list-query.ts';
import { exportBody, inThread, ownRating, rateBody, rating, ratingTotals } from './conversation.ts';
import { message } from './message.ts';
import { thread } from './thread.ts';

const one = z.object({ workspaceId: thread.row.shape.workspaceId, id: thread.row.shape.id });

/** Who may read a thread, and who may write in it: guests too, but no key for chosen spaces. */
const readers = { auth: 'member', guests: true, scope: 'threads:read' } as const;
const writers = { auth: 'member', guests: true, scope: 'messages:write' } as const;
/** The language model that answers, and where it runs. */
const answeringModel = z.object({ name: z.string(), host: z.string() });
export type AnsweringModel = z.output<typeof answeringModel>;

const STREAM =
  'Server-sent events: snapshot, message.created, message.delta, message.completed, thread.updated, ping, end. Last-Event-ID resumes. A delta {id, seq, text} belongs into the coming message of that id at character seq, where it takes the place of all that stood there; after a reconnection it begins at 0.';

export const conversationEndpoints = {
  'message.rate': defineEndpoint({
    method: 'POST',
    path: '/v1/messages/rate',
    summary: 'Rates an answer; one rating per person, 0 takes it back. Totals are for owners and admins.',
    ...writers,
    body: rateBody,
    result: rating.extend({ totals: ratingTotals.nullable() }),
  }),
  'public_message.rate': defineEndpoint({
    method: 'POST',
    path: '/v1/public/messages/rate',
    summary: 'A visitor rates an answer of a public or unlisted thread.',
    auth: 'public',
    rate: 'rating',
    body: rateBody,
    result: rating,
  }),
  'message.rated': defineEndpoint({
    method: 'GET',
    path: '/v1/ratings/{workspaceId}/{threadId}',
    summary: 'The person’s own ratings of the answers in a thread, on whichever device they were given.',
    ...readers,
    params: inThread,
    query: pageQuery(['created', 'updated']),
    result: z.array(ownRating),
    list: true,
  }),
  'public_message.rated': defineEndpoint({
    method: 'GET',
    path: '/v1/public/ratings/{workspaceId}/{threadId}',
    summary: 'The visitor’s own ratings of today in a public or unlisted thread.',
    auth: 'public',
    params: inThread,
    query: pageQuery(['created', 'updated']),
    result: z.array(ownRating),
    list: true,
  }),
  'message.export': defineEndpoint({
    method: 'POST',
    path: '/v1/messages/export',
    spaceless: true,
    summary: 'A thread as a file, or kept as a note of the workspace with the destination `memory`.',
    ...readers,
    body: exportBody.extend({ destination: z.enum(['download', 'memory']).default('download') }),
    result: z.string(),
    also: { 201: z.object({ memoryId: idOf('memory') }) },
    answer: 'file',
    mediaType: 'text/markdown; charset=utf-8',
  }),
  'public_message.export': defineEndpoint({
    method: 'POST',
    path: '/v1/public/messages/export',
    spaceless: true,
    summary: 'A public or unlisted thread as a file.',
    auth: 'public',
    rate: 'export',
    body: exportBody,
    result: z.string(),
    answer: 'file',
    mediaType: 'text/markdown; charset=utf-8',
  }),
  'message.stop': defineEndpoint({
    method: 'POST',
    path: '/v1/messages/{workspaceId}/{threadId}/{id}/stop',
    summary:
      'Stops the answer to a message of the person; what is written by then is kept. Changes nothing once it is answered.',
    ...writers,
    params: inThread.extend({ id: message.row.shape.id }),
    result: z.null(),
  }),
  'message.regenerate': defineEndpoint({
    method: 'POST',
    path: '/v1/messages/{workspaceId}/{threadId}/{id}/regenerate',
    summary:
      'Answers a question of the person once more. The new answer takes the place of this one for all readers, and its ratings go; it is followed like a first answer.',
    ...writers,
    rate: 'capture',
    params: inThread.extend({ id: message.row.shape.id }),
    result: z.null(),
    status: 202,
  }),
  'answering.get': defineEndpoint({
    method: 'GET',
    path: '/v1/answering/{workspaceId}',
    summary:
      'Who writes the answers in this workspace: a language model and the host it runs on, or null where answers only quote passages.',
    ...readers,
    params: inThread.pick({ workspaceId: true }),
    result: z.object({ model: answeringModel.nullable() }),
  }),
  'thread.follow': defineEndpoint({
    method: 'GET',
    path: '/v1/threads/{workspaceId}/{id}/follow',
    summary: `Follows a thread as it is written. ${STREAM}`,
    ...readers,
    params: one,
    result: z.unknown(),
    answer: 'stream',
  }),
  'public_thread.follow': defineEndpoint({
    method: 'GET',
    path: '/v1/public/threads/{workspaceId}/{id}/follow',
    summary: `Follows a public or unlisted thread; it ends when that is over. ${STREAM}`,
    auth: 'public',
    params: one,
    result: z.unknown(),
    answer: 'stream',
  }),
} as const;
