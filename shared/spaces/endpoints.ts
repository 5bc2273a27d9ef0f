// The calls about spaces, their links to memories, and the visibilities (specification section 7).
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { text } from '../define/fields.ts';
import { listQuery, pageFields } from '../define/list-query.ts';
import { searchHit } from '../memories/search-hit.ts';
import { space } from './space.ts';
import { spaceMemory } from './space-memory.ts';
import { visibilitySchema } from './visibility-schema.ts';

const { shape } = space.row;
const inWorkspace = z.object({ workspaceId: shape.workspaceId });
const one = inWorkspace.extend({ id: shape.id });
/** A space as REST shows it. */
const shown = space.row.omit({ deletedAt: true }).meta({ id: 'Space' });
const linkShown = spaceMemory.row.meta({ id: 'SpaceMemory' });

export const spaceEndpoints = {
  'space.get_by_slug': defineEndpoint({
    method: 'GET',
    path: '/v1/spaces/slug/{workspaceSlug}/{slug}',
    summary: 'One space by its address; an earlier address answers for 90 days too.',
    auth: 'user',
    scope: 'spaces:read',
    params: z.object({ workspaceSlug: z.string().max(100), slug: z.string().max(100) }),
    result: shown,
  }),
  'space.list': defineEndpoint({
    method: 'GET',
    path: '/v1/spaces/{workspaceId}',
    summary: 'Lists the spaces that the person can read.',
    auth: 'member',
    scope: 'spaces:read',
    params: inWorkspace,
    query: listQuery(space),
    result: z.array(shown),
    list: true,
  }),
  'space.create': defineEndpoint({
    method: 'POST',
    path: '/v1/spaces',
    summary: 'Creates a space; without a slug one is made of the name.',
    auth: 'member',
    scope: 'spaces:write',
    body: z.object({
      workspaceId: shape.workspaceId,
      id: shape.id.optional(),
      name: shape.name,
      description: shape.description.optional(),
      color: shape.color.optional(),
      cover: shape.cover.optional(),
      slug: shape.slug.optional(),
      origin: shape.origin.default('api'),
      visibility: shape.visibility.optional(),
    }),
    result: shown,
    status: 201,
  }),
  'space.search': defineEndpoint({
    method: 'POST',
    path: '/v1/spaces/search',
    summary: 'Searches names and descriptions of spaces.',
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
  'space.get': defineEndpoint({
    method: 'GET',
    path: '/v1/spaces/{workspaceId}/{id}',
    summary: 'One space.',
    auth: 'member',
    scope: 'spaces:read',
    params: one,
    result: shown,
  }),
  'space.replace': defineEndpoint({
    method: 'PUT',
    path: '/v1/spaces/{workspaceId}/{id}',
    summary: 'Replaces all editable fields.',
    auth: 'member',
    scope: 'spaces:write',
    params: one,
    body: z.object({
      name: shape.name,
      description: shape.description.default(null),
      color: shape.color.default('emerald'),
      cover: shape.cover.default('none'),
      slug: shape.slug,
      visibility: shape.visibility.default('workspace'),
    }),
    result: shown,
  }),
  'space.update': defineEndpoint({
    method: 'PATCH',
    path: '/v1/spaces/{workspaceId}/{id}',
    summary: 'Changes the given fields.',
    auth: 'member',
    scope: 'spaces:write',
    params: one,
    body: space.patchArgs,
    result: shown,
  }),
  'space.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/spaces/{workspaceId}/{id}',
    summary: 'Deletes a space and never its memories; it can be brought back in the app for 30 days.',
    auth: 'member',
    scope: 'spaces:write',
    params: one,
    result: z.null(),
  }),
  'space_memory.list': defineEndpoint({
    method: 'GET',
    path: '/v1/space_memories/{workspaceId}',
    summary: 'Lists which memories are in which spaces.',
    auth: 'member',
    scope: 'spaces:read',
    params: inWorkspace,
    query: listQuery(spaceMemory),
    result: z.array(linkShown),
    list: true,
  }),
  'space_memory.create': defineEndpoint({
    method: 'POST',
    path: '/v1/space_memories',
    summary: 'Files a memory in a space.',
    auth: 'member',
    scope: 'spaces:write',
    body: spaceMemory.createArgs,
    result: linkShown,
    status: 201,
  }),
  'space_memory.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/space_memories/{workspaceId}/{spaceId}/{id}',
    summary: 'Takes a memory out of a space.',
    auth: 'member',
    scope: 'spaces:write',
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
