// A share as the person sees it with whom it is shared: which space or thread, where, and what may be done with it.
import { z } from 'zod';
import { timestamp } from '../define/fields.ts';
import { workspace } from '../workspaces/workspace.ts';
import { grant, grantResource } from './grant.ts';
import { space } from './space.ts';

const { shape } = workspace.row;

export const share = z
  .object({
    id: grantResource,
    kind: z.enum(['space', 'thread']),
    name: z.string(),
    /** Last part of a space's address; null for threads. */
    slug: space.row.shape.slug.nullable(),
    workspaceId: shape.id,
    workspaceSlug: shape.slug,
    workspaceName: shape.name,
    level: grant.row.shape.level,
    created: timestamp,
  })
  .meta({ id: 'Share' });
export type Share = z.output<typeof share>;
