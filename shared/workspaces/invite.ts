// The invite entity: an invitation to one address. Its id names it in links; what proves the address is in the mail alone.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { email, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { POSITIONS, type Position } from '../permissions.ts';

const INVITE_STATUSES = ['pending', 'accepted', 'expired', 'revoked'] as const;

export const invite = defineEntity('invite', {
  fields: {
    id: idOf('invite'),
    workspaceId: idOf('workspace'),
    email,
    createdBy: idOf('user'),
    acceptedAt: timestamp.nullable(),
    position: z.enum(POSITIONS),
    status: z.enum(INVITE_STATUSES),
    expiresAt: timestamp,
    lastSentAt: timestamp.nullable(),
    created: timestamp,
    updated: timestamp,
  },
  create: ['workspaceId', 'email', 'position'],
  update: ['status'],
  defaults: {},
  filters: ['createdBy', 'id', 'acceptedAt', 'position', 'status'],
  orderBy: ['created', 'updated', 'expiresAt'],
});
export type Invite = RowOf<typeof invite>;

/** Completes "Ann invited you …". */
export const INVITED_AS: Readonly<Record<Position, string>> = {
  owner: 'as an owner',
  admin: 'as an admin',
  member: 'as a member',
  'read-only': 'with read-only access',
};
