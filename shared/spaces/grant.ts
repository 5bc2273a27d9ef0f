// The grant entity: what a person, an e-mail address or a position may do with a space or thread. A grant counts only while the
// visibility of its space or thread says so, and it outlives a change of visibility.
import { z } from 'zod';
import { GUESTS } from './limits.ts';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { email, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { POSITIONS } from '../permissions.ts';
import { GRANT_LEVELS } from './grant-level.ts';

const level = z.enum(GRANT_LEVELS);
const userId = idOf('user');
const position = z.enum(POSITIONS);
const address = email.overwrite((text) => text.toLowerCase());
export const grantResource = z.union([idOf('space'), idOf('thread')]);
export type GrantResource = z.output<typeof grantResource>;

/** Whom a grant names: the id of a user, an e-mail address in lower case, or a position. */
export const grantHolder = z.union([userId, position, address]);
export type GrantHolder = z.output<typeof grantHolder>;

export const grant = defineEntity('grant', {
  fields: {
    workspaceId: idOf('workspace'),
    resourceId: grantResource,
    holder: grantHolder,
    /** The account that holds it: of an address the one that has proven it, null until there is one; null for a position. */
    userId: userId.nullable(),
    level,
    createdBy: userId,
    created: timestamp,
  },
  create: ['workspaceId', 'resourceId', 'holder', 'level'],
  update: ['level'],
  defaults: {},
  filters: ['resourceId', 'holder', 'userId', 'level'],
});
export type Grant = RowOf<typeof grant>;

/** A grant as REST accepts it: exactly one of the three names. */
const grantInput = z
  .object({
    userId: userId.optional(),
    email: address.optional(),
    position: position.optional(),
    level,
  })
  .refine(
    (given) => [given.userId, given.email, given.position].filter((name) => name !== undefined).length === 1,
    'Name one of userId, email and position',
  );
export type GrantInput = z.output<typeof grantInput>;

/** Replaces all grants; they count while the visibility has guests. */
export const grantsInput = z.array(grantInput).max(GUESTS.perPlace).optional();

/** A grant as REST shows it. */
export const grantShown = z
  .object({
    userId: userId.nullable(),
    email: z.string().nullable(),
    position: position.nullable(),
    level,
    created: timestamp,
  })
  .meta({ id: 'Grant' });
export type GrantShown = z.output<typeof grantShown>;

/** The name under which a grant of REST is stored. @throws never after its schema has parsed it */
export function holderOf({ userId: user, email: mail, position: place }: GrantInput): GrantHolder {
  const holder = user ?? mail ?? place;
  if (holder === undefined) throw new Error('A parsed grant names its holder');
  return holder;
}

/** A stored grant as REST shows it. */
export function shownGrant({ holder, userId: user, level: granted, created }: Grant): GrantShown {
  const isPosition = POSITIONS.some((known) => known === holder);
  const isAddress = holder.includes('@');
  return {
    userId: user,
    email: isAddress ? holder : null,
    position: isPosition ? position.parse(holder) : null,
    level: granted,
    created,
  };
}
