// The workspace entity: the unit of membership, of ordering (realm) and of addresses.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { nameText, slug, text, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS, RESERVED_WORKSPACE_SLUGS } from '../constants.ts';

/** A workspace slug is at the root of the address space, so reserved words are refused. */
export const workspaceSlug = slug.refine(
  (value) => !RESERVED_WORKSPACE_SLUGS.has(value),
  'This address is reserved',
);

export const workspace = defineEntity('workspace', {
  fields: {
    id: idOf('workspace'),
    ownerId: idOf('user'),
    createdBy: idOf('user'),
    lastEditedBy: idOf('user'),
    slug: workspaceSlug,
    domain: text(LIMITS.email).nullable(),
    name: nameText,
    description: text(LIMITS.description).nullable(),
    /** False = members may not make their own spaces and threads public. */
    allowPublicSharing: z.boolean(),
    /** True = visitors of public spaces may ask. */
    publicChat: z.boolean(),
    created: timestamp,
    updated: timestamp,
    deletedAt: timestamp.nullable(),
  },
  create: ['id', 'name', 'slug', 'description'],
  update: ['name', 'description', 'slug', 'domain', 'allowPublicSharing', 'publicChat'],
  defaults: { description: null, domain: null, allowPublicSharing: true, publicChat: true },
  filters: ['slug', 'ownerId', 'name', 'domain', 'id', 'createdBy', 'lastEditedBy'],
  orderBy: ['created', 'updated', 'name', 'slug'],
});
export type Workspace = RowOf<typeof workspace>;
