// The calls of the public life of spaces, and of copying one.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { PUBLIC } from './limits.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { email, text } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { pageFields, pageQuery } from '../define/list-query.ts';
import { publicSpace, trendingSpace } from './public-space.ts';
import { REPORT_REASONS } from './report-reasons.ts';
import { space } from './space.ts';

const { shape } = space.row;

/** A report of a public resource that should not be public. */
export const reportBody = <I extends z.ZodType>(id: I) =>
  z.object({
    workspaceId: shape.workspaceId,
    id,
    reason: z.enum(REPORT_REASONS),
    details: text(LIMITS.description).optional(),
    email: email.optional(),
  });

export const publicSpaceEndpoints = {
  'public_space.trending': defineEndpoint({
    method: 'GET',
    path: '/v1/public/spaces/trending',
    summary:
      'Public spaces that many people look at now. Where none is, the newest stand in, with `trending` false.',
    auth: 'public',
    result: z.array(trendingSpace),
  }),
  'public_space.newest': defineEndpoint({
    method: 'GET',
    path: '/v1/public/spaces/newest',
    summary: 'Public spaces that hold something, in the order in which they were made.',
    auth: 'public',
    query: pageQuery(['created']),
    result: z.array(publicSpace),
    list: true,
  }),
  'public_space.get_by_slug': defineEndpoint({
    method: 'GET',
    path: '/v1/public/spaces/slug/{workspaceSlug}/{slug}',
    summary: 'One public or unlisted space by its address; an earlier address answers for 90 days too.',
    auth: 'public',
    params: z.object({ workspaceSlug: z.string().max(100), slug: z.string().max(100) }),
    result: publicSpace,
  }),
  'public_space.list': defineEndpoint({
    method: 'GET',
    path: '/v1/public/spaces/{workspaceId}',
    summary: 'The public spaces of a workspace.',
    auth: 'public',
    params: z.object({ workspaceId: shape.workspaceId }),
    query: pageQuery(['created', 'updated', 'name']),
    result: z.array(publicSpace),
    list: true,
  }),
  'public_space.get': defineEndpoint({
    method: 'GET',
    path: '/v1/public/spaces/{workspaceId}/{id}',
    summary: 'One public or unlisted space.',
    auth: 'public',
    params: z.object({ workspaceId: shape.workspaceId, id: shape.id }),
    result: publicSpace,
  }),
  'public_space.search': defineEndpoint({
    method: 'POST',
    path: '/v1/public/spaces/search',
    spaceless: true,
    summary: 'Searches names and descriptions of public spaces, in one workspace or all.',
    auth: 'public',
    rate: 'search',
    search: true,
    body: z.object({
      workspaceId: shape.workspaceId.optional(),
      query: text(PUBLIC.queryMax).trim().min(PUBLIC.queryMin, 'Too short'),
      ...pageFields,
    }),
    result: z.array(publicSpace),
    list: true,
  }),
  'public_space.report': defineEndpoint({
    method: 'POST',
    path: '/v1/public/spaces/report',
    summary: 'Reports something that should not be public to the operators; the answer is always the same.',
    auth: 'public',
    rate: 'report',
    body: reportBody(shape.id).extend({
      /** The memory of the space that the report is about. */
      memoryId: idOf('memory').optional(),
    }),
    result: z.null(),
  }),
  'space.clone': defineEndpoint({
    method: 'POST',
    path: '/v1/spaces/clone',
    summary:
      'Copies what is public of a space into one of your workspaces. A page that the workspace has is shown in the new space instead of being copied: `copied` counts the new memories, `linked` those.',
    auth: 'member',
    scope: 'spaces:write',
    body: z.object({ workspaceId: shape.workspaceId, spaceId: shape.id }),
    result: space.row
      .omit({ deletedAt: true })
      .extend({ copied: z.int().nonnegative(), linked: z.int().nonnegative() }),
    status: 201,
  }),
} as const;
