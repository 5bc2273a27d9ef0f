// The calls about feeds that a person follows.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { idOf } from '../define/id-schema.ts';
import { pageQuery } from '../define/list-query.ts';
import { feed, feedChange, newFeed } from './feed.ts';

const shown = feed.meta({ id: 'Feed' });
const inWorkspace = z.object({ workspaceId: idOf('workspace') });
const one = inWorkspace.extend({ id: idOf('feed') });

export const feedEndpoints = {
  'feed.list': defineEndpoint({
    method: 'GET',
    path: '/v1/feeds/{workspaceId}',
    summary: 'Lists the feeds that the person follows; for owners and admins, those of all members.',
    auth: 'member',
    scope: 'memories:read',
    params: inWorkspace,
    query: pageQuery(['created', 'updated']),
    result: z.array(shown),
    list: true,
  }),
  'feed.create': defineEndpoint({
    method: 'POST',
    path: '/v1/feeds/{workspaceId}',
    summary:
      'Follows an RSS, Atom or JSON feed: its newest entries are saved at once, and new ones as they appear. The address may be that of a page that names its feed.',
    auth: 'member',
    // It creates a space, unless one is named.
    scope: ['memories:write', 'spaces:write'],
    rate: 'capture',
    params: inWorkspace,
    body: newFeed,
    result: shown,
    status: 201,
  }),
  'feed.get': defineEndpoint({
    method: 'GET',
    path: '/v1/feeds/{workspaceId}/{id}',
    summary: 'One feed.',
    auth: 'member',
    scope: 'memories:read',
    params: one,
    result: shown,
  }),
  'feed.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/feeds/{workspaceId}/{id}',
    summary: 'Pauses a feed or goes on with it, or files what comes next into another space.',
    auth: 'member',
    scope: 'memories:write',
    params: one,
    body: feedChange,
    result: shown,
  }),
  'feed.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/feeds/{workspaceId}/{id}',
    summary: 'Stops following a feed. What it brought stays.',
    auth: 'member',
    scope: 'memories:write',
    params: one,
    result: z.null(),
  }),
  'feed.check': defineEndpoint({
    method: 'POST',
    path: '/v1/feeds/{workspaceId}/{id}/check',
    summary: 'Looks for new entries now and shows what came of it.',
    auth: 'member',
    scope: 'memories:write',
    rate: 'capture',
    params: one,
    result: shown,
  }),
} as const;
