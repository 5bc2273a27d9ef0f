// An app that a person connected with a workspace.
import { z } from 'zod';
import { scopeSchema } from '../api-keys/scopes.ts';
import { timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { oauthClient } from './oauth-client.ts';

export const clientShown = oauthClient.row.meta({ id: 'OauthClient' });

export const connectedApp = z
  .object({
    client: clientShown,
    /** By staff, or by the owners of this workspace if the client belongs to it. */
    verified: z.boolean(),
    workspaceId: idOf('workspace'),
    scopes: z.array(scopeSchema),
    /** Null means every space. */
    spaceIds: z.array(idOf('space')).nullable(),
    created: timestamp,
    lastUsedAt: timestamp,
  })
  .meta({ id: 'ConnectedApp' });
