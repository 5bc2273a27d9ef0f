// The calls about spaces, their links to memories, and the visibilities.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { text } from '../define/fields.ts';
import { listQuery, pageFields } from '../define/list-query.ts';
import { searchHit } from '../memories/search-hit.ts';
import { grantResource, grantsInput, grantShown } from './grant.ts';
import { share } from './share.ts';
import { spaceView } from './space-view.ts';
import { space } from './space.ts';
import { spaceMemory } from './space-memory.ts';
import { SPACE_VIEWERS } from './visibility.ts';
import { visibilitySchema } from './visibility-schema.ts';

const { shape } = space.row;
const inWorkspace = z.object({ workspaceId: shape.workspaceId });
const one = inWorkspace.extend({ id: shape.id });
/** Who may read spaces, and who may change them: guests and keys for chosen spaces too, each within their reach. */
const readers = { auth: 'member', guests: true, scope: 'spaces:read', limitable: true } as const;
const writers = { auth: 'member', guests: true, scope: 'spaces:write', limitable: true } as const;
/** A space as REST shows it. */
const shown = space.row.omit({ deletedAt: true }).meta({ id: 'Space' });
/** One space, with its grants for those who may change them. */
const shownWithGrants = shown
  .extend({ grants: z.array(grantShown).optional() })
  .meta({ id: 'SpaceWithGrants' });
const linkShown = spaceMemory.row.meta({ id: 'SpaceMemory' });

export const spaceEndpoints = {
  'space.get_by_slug': defineEndpoint({
    method: 'GET',
    path: '/v1/spaces/slug/{workspaceSlug}/{slug}',
    summary: 'One space by its address; an earlier address answers for 90 days too.',
    auth: 'user',
    scope: 'spaces:read',
    limitable: true,
    params: z.object({ workspaceSlug: z.string().max(100), slug: z.string().max(100) }),
    result: shownWithGrants,
  }),
  'space.list': defineEndpoint({
    method: 'GET',
    path: '/v1/spaces/{workspaceId}',
    summary: 'Lists the spaces that the person can read.',
    ...readers,
    params: inWorkspace,
    query: listQuery(space),
    result: z.array(shown),
    list: true,
  }),
  'space.create': defineEndpoint({
    method: 'POST',
    path: '/v1/spaces',
    summary: 'Creates a space; without a slug and a colour they are made of the name.',
    auth: 'member',
    scope: 'spaces:write',
    body: space.createArgs.extend({
      id: shape.id.optional(),
      color: shape.color.optional(),
      slug: shape.slug.optional(),
      origin: shape.origin.default('api'),
    }),
    result: shown,
    status: 201,
  }),
  'space.search': defineEndpoint({
    method: 'POST',
    path: '/v1/spaces/search',
    spaceless: true,
    summary: 'Searches names and descriptions of spaces.',
    auth: 'member',
    guests: true,
    scope: 'search:read',
    limitable: true,
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
  'space.get': defineEndpoint({
    method: 'GET',
    path: '/v1/spaces/{workspaceId}/{id}',
    summary: 'One space.',
    ...readers,
    params: one,
    result: shownWithGrants,
  }),
  'space.replace': defineEndpoint({
    method: 'PUT',
    path: '/v1/spaces/{workspaceId}/{id}',
    summary: 'Replaces all editable fields.',
    ...writers,
    params: one,
    body: space.replaceArgs.extend({ grants: grantsInput }),
    result: shownWithGrants,
  }),
  'space.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/spaces/{workspaceId}/{id}',
    summary: 'Changes the given fields.',
    ...writers,
    params: one,
    body: space.patchArgs.extend({ grants: grantsInput }),
    result: shownWithGrants,
  }),
  'space.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/spaces/{workspaceId}/{id}',
    summary: 'Deletes a space and never its memories; it can be brought back in the app for 30 days.',
    ...writers,
    params: one,
    result: z.null(),
  }),
  'space.view_as': defineEndpoint({
    method: 'GET',
    path: '/v1/spaces/{workspaceId}/{id}/view_as',
    summary: 'What a member, a guest or a visitor sees of a space, for those who may change who sees it.',
    auth: 'session_member',
    params: one,
    query: z.object({ viewer: z.enum(SPACE_VIEWERS).default('member') }),
    result: spaceView,
  }),
  'share.list': defineEndpoint({
    method: 'GET',
    path: '/v1/shares',
    summary:
      'Lists the spaces and threads, of all workspaces, that are shared with the person by name or address.',
    auth: 'session',
    result: z.array(share),
  }),
  'share.leave': defineEndpoint({
    method: 'DELETE',
    path: '/v1/shares/{workspaceId}/{id}',
    summary: 'Ends what the person was given on a space or thread, at once and on all their devices.',
    auth: 'session_member',
    guests: true,
    params: inWorkspace.extend({ id: grantResource }),
    result: z.null(),
  }),
  'space_memory.list': defineEndpoint({
    method: 'GET',
    path: '/v1/space_memories/{workspaceId}',
    summary: 'Lists which memories are in which spaces.',
    ...readers,
    params: inWorkspace,
    query: listQuery(spaceMemory),
    result: z.array(linkShown),
    list: true,
  }),
  'space_memory.create': defineEndpoint({
    method: 'POST',
    path: '/v1/space_memories',
    summary: 'Files a memory in a space.',
    ...writers,
    body: spaceMemory.createArgs,
    result: linkShown,
    status: 201,
  }),
  'space_memory.get': defineEndpoint({
    method: 'GET',
    path: '/v1/space_memories/{workspaceId}/{spaceId}/{id}',
    summary: 'Whether a memory is in a space, and since when; 404 when it is not.',
    auth: 'member',
    scope: 'spaces:read',
    limitable: true,
    params: inWorkspace.extend({ spaceId: shape.id, id: spaceMemory.row.shape.memoryId }),
    result: linkShown,
  }),
  'space_memory.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/space_memories/{workspaceId}/{spaceId}/{id}',
    summary: 'Takes a memory out of a space.',
    ...writers,
    params: inWorkspace.extend({ spaceId: shape.id, id: spaceMemory.row.shape.memoryId }),
    result: z.null(),
  }),
  'visibility.list': defineEndpoint({
    method: 'GET',
    path: '/v1/visibilities',
    summary: 'The values of visibility, with what each means for readers.',
    auth: 'public',
    result: z.array(
      z.object({
        id: visibilitySchema,
        label: z.string(),
        description: z.string(),
        login: z.boolean(),
        indexable: z.boolean(),
        guests: z.boolean(),
      }),
    ),
  }),
} as const;
