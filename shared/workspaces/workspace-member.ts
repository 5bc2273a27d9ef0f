// The workspace member entity: a user's position in a workspace, with the names members see of each other.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { POSITIONS } from '../permissions.ts';

export const workspaceMember = defineEntity('workspace_member', {
  fields: {
    id: idOf('workspace_member'),
    workspaceId: idOf('workspace'),
    userId: idOf('user'),
    invitedBy: idOf('user').nullable(),
    position: z.enum(POSITIONS),
    created: timestamp,
    updated: timestamp,
  },
  create: [],
  update: ['position'],
  defaults: {},
  filters: ['userId', 'invitedBy', 'position'],
  orderBy: ['created', 'updated', 'position'],
});
export type WorkspaceMember = RowOf<typeof workspaceMember>;

/** A member in replicas: the row plus names; never the e-mail address. */
export const memberHead = workspaceMember.row.extend({
  forename: z.string().nullable(),
  surname: z.string().nullable(),
  username: z.string().nullable(),
});
export type MemberHead = z.output<typeof memberHead>;
