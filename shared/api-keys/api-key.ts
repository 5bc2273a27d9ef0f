// The API key entity. The secret is a different value, shown once, stored hashed.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { nameText, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { scopeSchema } from './scopes.ts';

export const apiKey = defineEntity('api_key', {
  fields: {
    id: idOf('api_key'),
    workspaceId: idOf('workspace'),
    ownerId: idOf('user'),
    name: nameText,
    scopes: z.array(scopeSchema),
    /** Last four characters of the secret, to tell keys apart. */
    last4: z.string(),
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
    created: timestamp,
    updated: timestamp,
  },
  create: ['workspaceId', 'name', 'scopes', 'expiresAt'],
  update: [],
  defaults: {},
  filters: ['id', 'ownerId', 'name'],
});
export type ApiKey = RowOf<typeof apiKey>;
