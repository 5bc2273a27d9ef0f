// The calls that show a workspace to the public: only one with public content.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { publicWorkspace } from './public-workspace.ts';
import { workspace } from './workspace.ts';

export const publicWorkspaceEndpoints = {
  'public_workspace.get_by_slug': defineEndpoint({
    method: 'GET',
    path: '/v1/public/workspaces/slug/{slug}',
    summary: 'One workspace that has public spaces or threads, by its address.',
    auth: 'public',
    params: z.object({ slug: z.string().max(100) }),
    result: publicWorkspace,
  }),
  'public_workspace.get': defineEndpoint({
    method: 'GET',
    path: '/v1/public/workspaces/{id}',
    summary: 'One workspace that has public spaces or threads.',
    auth: 'public',
    params: z.object({ id: workspace.row.shape.id }),
    result: publicWorkspace,
  }),
} as const;
