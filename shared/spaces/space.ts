// The space entity: a named collection of memories with its own visibility.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { nameText, slug, text, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';
import { RESERVED_SPACE_SLUGS } from './limits.ts';
import { SPACE_COLORS } from './space-looks.ts';
import { visibilitySchema } from './visibility-schema.ts';

export const SPACE_ORIGINS = ['web', 'api', 'unknown'] as const;
export const spaceSlug = slug.refine((value) => !RESERVED_SPACE_SLUGS.has(value), 'This address is reserved');

export const space = defineEntity('space', {
  fields: {
    id: idOf('space'),
    workspaceId: idOf('workspace'),
    ownerId: idOf('user'),
    createdBy: idOf('user'),
    lastEditedBy: idOf('user'),
    name: nameText,
    description: text(LIMITS.description).nullable(),
    color: z.enum(SPACE_COLORS),
    slug: spaceSlug,
    origin: z.enum(SPACE_ORIGINS),
    visibility: visibilitySchema,
    /** Visitors of a public space read the text of its notes, not only their titles. */
    publishText: z.boolean(),
    created: timestamp,
    updated: timestamp,
    deletedAt: timestamp.nullable(),
  },
  create: ['id', 'workspaceId', 'name', 'description', 'color', 'slug', 'origin', 'visibility', 'publishText'],
  update: ['name', 'description', 'color', 'slug', 'visibility', 'publishText'],
  defaults: {
    description: null, color: 'emerald', origin: 'web', visibility: 'workspace', publishText: true,
  },
  filters: [
    'id', 'name', 'description', 'color', 'slug', 'createdBy', 'ownerId', 'origin', 'lastEditedBy', 'visibility',
  ],
  orderBy: ['created', 'updated', 'name'],
}); // prettier-ignore
export type Space = RowOf<typeof space>;
