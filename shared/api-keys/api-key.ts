// The API key entity. The secret is a different value, shown once, stored hashed.
import { z } from 'zod';
import { defineEntity, type RowOf } from '../define/entity.ts';
import { nameText, timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { CREDENTIAL_SPACES_MAX } from './limits.ts';
import { scopeSchema } from './scopes.ts';

export const apiKey = defineEntity('api_key', {
  fields: {
    id: idOf('api_key'),
    workspaceId: idOf('workspace'),
    ownerId: idOf('user'),
    name: nameText,
    scopes: z.array(scopeSchema),
    /** The only spaces whose content the key reaches; null means every space that its owner can see. */
    spaceIds: z.array(idOf('space')).max(CREDENTIAL_SPACES_MAX).nullable(),
    /** Last four characters of the secret, to distinguish keys. */
    last4: z.string(),
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
    created: timestamp,
    updated: timestamp,
  },
  create: ['workspaceId', 'name', 'scopes', 'spaceIds', 'expiresAt'],
  update: [],
  defaults: { spaceIds: null },
  filters: ['id', 'ownerId', 'name'],
});
export type ApiKey = RowOf<typeof apiKey>;
