// The session entity as its owner sees it; the token is a different value and only its hash is stored.
import { z } from 'zod';
import { defineEntity } from '../define/entity.ts';
import { timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';

export const session = defineEntity('session', {
  fields: {
    id: idOf('session'),
    userId: idOf('user'),
    /** Staff user who acts as this user, else null. */
    impersonator: idOf('user').nullable(),
    userAgent: z.string(),
    created: timestamp,
    updated: timestamp,
    expiresAt: timestamp,
  },
  create: [],
  update: [],
  defaults: {},
  filters: ['id', 'impersonator'],
});
