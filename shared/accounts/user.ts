// The user entity (specification section 3). Password hashes and login attempts live in server-only tables.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { email, nameText, text, timestamp } from '../define/fields.ts';
import { idOf } from '../ids.ts';
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
    created: timestamp,
    updated: timestamp,
  },
  create: [],
  update: ['forename', 'surname', 'username'],
  filters: ['id'],
});
export type User = RowOf<typeof user>;

/** The name to show for a person: real name, else user name, else a neutral word; never the e-mail address. */
export function displayName(person: Pick<User, 'forename' | 'surname' | 'username'>): string {
  const full = [person.forename, person.surname].filter(Boolean).join(' ');
  return full || person.username || 'Member';
}
