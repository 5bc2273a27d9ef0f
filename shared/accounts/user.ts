// The user entity. Password hashes and login attempts are in server-only tables.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { email, nameText, text, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';

export const user = defineEntity('user', {
  fields: {
    id: idOf('user'),
    source: z.enum(['email', 'github', 'google']),
    githubId: z.string().nullable(),
    googleId: z.string().nullable(),
    forename: text(LIMITS.name).trim().nullable(),
    username: nameText.nullable(),
    surname: text(LIMITS.name).trim().nullable(),
    email,
    /** Part after the @ of the address. */
    domain: z.string(),
    /** The domain belongs to a public mail provider. */
    personal: z.boolean(),
    emailVerified: z.boolean(),
    /** When the person closed the list of first steps, or had done them all. */
    checklistClosedAt: timestamp.nullable(),
    created: timestamp,
    updated: timestamp,
  },
  create: [],
  update: ['forename', 'surname', 'username', 'checklistClosedAt'],
  defaults: {},
  filters: ['id'],
});
export type User = RowOf<typeof user>;
