// The file with a person's own data, for the documentation of the call: it is written while it is read from the database.
import { z } from 'zod';
import { timestamp } from '../define/fields.ts';
import { memory } from '../memories/memory.ts';
import { notificationSettings } from '../notifications/settings.ts';
import { connectedApp } from '../oauth/connected-app.ts';
import { POSITIONS } from '../permissions.ts';
import { workspace } from '../workspaces/workspace.ts';
import { session } from './session.ts';
import { userShown } from './signed-in.ts';
import { passkey } from './second-factor-endpoints.ts';
import { waysIn } from './sign-in-endpoints.ts';

export const accountExport = z
  .object({
    exported: timestamp,
    profile: userShown,
    sessions: z.array(
      session.row.pick({ id: true, userAgent: true, created: true, updated: true, expiresAt: true }),
    ),
    waysIn,
    passkeys: z.array(passkey),
    memberships: z.array(
      workspace.row
        .pick({ id: true, slug: true, name: true })
        .extend({ position: z.enum(POSITIONS), created: timestamp }),
    ),
    connectedApps: z.array(connectedApp),
    notificationSettings,
    memories: z.array(
      memory.row.omit({
        ownerId: true,
        createdBy: true,
        lastEditedBy: true,
        contentStatus: true,
        metadata: true,
        urlKey: true,
        bodyHash: true,
        bodyBytes: true,
        screenshot: true,
        integrationId: true,
        uploadId: true,
        deletedAt: true,
      }),
    ),
  })
  .meta({ id: 'AccountExport' });
