// Public fields of a space, and its public endpoints.
import { z } from 'zod';
import { publicPlace } from '../workspaces/public-workspace.ts';
import { workspace } from '../workspaces/workspace.ts';
import { space } from './space.ts';

export const publicSpace = space.row
  .pick({
    id: true,
    workspaceId: true,
    name: true,
    description: true,
    color: true,
    slug: true,
    publishText: true,
    created: true,
    updated: true,
  })
  .extend({
    visibility: z.enum(['public', 'unlisted']),
    /** The switch of the workspace: visitors may ask. */
    publicChat: workspace.row.shape.publicChat,
    memoryCount: z.number().int(),
    workspace: publicPlace,
    /** User name of the owner, when one was chosen; no other data of a person is public. */
    author: z.string().nullable(),
  });
export type PublicSpace = z.output<typeof publicSpace>;

export const trendingSpace = publicSpace.extend({
  /** False where the newest are listed instead, because no space was visited lately. */
  trending: z.boolean(),
});
export type TrendingSpace = z.output<typeof trendingSpace>;
