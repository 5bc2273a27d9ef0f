// The first column of the table of events: what the audit log records of each action.
import { sql } from 'kysely';
import { displayName } from '#shared/accounts/display-name.ts';
import type { AuditAction } from '#shared/audit/audit-event.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { Grant } from '#shared/spaces/grant.ts';
import type { AuditEntry } from '../audit/service.ts';
import type { Database } from '../db/database.ts';

type Described = Pick<AuditEntry, 'target' | 'details'>;
interface Named {
  id: string;
  name: string | null;
}

const named =
  (kind: string) =>
  ({ id, name }: Named): Described => ({ target: { kind, id, name } });

/** What an action is about, as the log names it. */
export const TARGETS = {
  api_key: named('api_key'),
  memory: named('memory'),
  oauth_client: named('oauth_client'),
  space: named('space'),
  thread: named('thread'),
  place: ({ kind, ...subject }: Named & { kind: string }) => named(kind)(subject),
  // The id of an invitation is a secret that opens it.
  invite: ({ email }: { email: string }) => named('invite')({ id: email, name: email }),
  user: async (id: Id<'user'>, db: Database): Promise<Described> => {
    const user = await db
      .selectFrom('user')
      .select(['forename', 'surname', 'username', 'email'])
      .where('id', '=', id)
      .executeTakeFirst();
    const name = user && (user.forename === null ? user.email : displayName(user));
    return { target: { kind: 'user', id, name: name ?? null } };
  },
  // The space or thread of the grant. An address is named as it was written, an account by its name.
  grant: async (
    { workspaceId, resourceId, holder }: Pick<Grant, 'workspaceId' | 'resourceId' | 'holder'>,
    db: Database,
  ): Promise<Described> => {
    const kind = isId('space', resourceId) ? 'space' : 'thread';
    const { rows } = await sql<{ place: string | null; person: string | null }>`
      select (select "name" from ${sql.table(kind)}
          where "workspaceId" = ${workspaceId} and "id" = ${resourceId}) as "place",
        (select coalesce(nullif(trim(concat_ws(' ', "forename", "surname")), ''), "username", "email")
          from "user" where "id" = ${holder}) as "person"`.execute(db);
    return {
      target: { kind, id: resourceId, name: rows[0]?.place ?? null },
      details: { holder: isId('user', holder) ? (rows[0]?.person ?? null) : holder },
    };
  },
};

export interface EntryRow {
  /** `account`: in the logs of all workspaces of the person; `either`: there, unless the actor is in a workspace. */
  log?: 'account' | 'either';
  target?: keyof typeof TARGETS;
  /** The facts that are recorded. None of them is a secret. */
  details?: readonly string[];
}

export const ENTRIES = {
  'login.failed': { log: 'account' },
  'member.joined': { details: ['position'] },
  'member.position': { target: 'user', details: ['from', 'to'] },
  'member.removed': { target: 'user', details: ['position'] },
  'member.left': { target: 'user', details: ['position'] },
  'workspace.transferred': { target: 'user' },
  'workspace.removed': {},
  'workspace.restored': {},
  'workspace.exported': { details: ['contents', 'spaces'] },
  'invite.created': { target: 'invite', details: ['position'] },
  'invite.revoked': { target: 'invite' },
  'grant.created': { target: 'grant', details: ['level'] },
  'grant.accepted': { target: 'grant', details: ['level'] },
  'grant.changed': { target: 'grant', details: ['from', 'to'] },
  'grant.removed': { target: 'grant', details: ['level'] },
  'grant.left': { target: 'grant', details: ['level'] },
  'space.visibility': { target: 'space', details: ['from', 'to'] },
  'space.removed': { target: 'space' },
  'thread.visibility': { target: 'thread', details: ['from', 'to'] },
  'thread.removed': { target: 'thread' },
  'thread.exported': { target: 'thread', details: ['format', 'destination'] },
  'memory.removed': { target: 'memory' },
  'api_key.created': { target: 'api_key', details: ['scopes', 'spaces', 'last4', 'expiresAt'] },
  'api_key.revoked': { target: 'api_key', details: ['last4'] },
  'mail_address.created': {},
  'mail_address.removed': {},
  'oauth.allowed': { target: 'oauth_client' },
  'oauth.disconnected': { target: 'oauth_client' },
  'oauth_client.created': { target: 'oauth_client' },
  'oauth_client.renewed': { target: 'oauth_client' },
  'oauth_client.verified': { target: 'oauth_client', details: ['verified', 'by'] },
  'oauth_client.removed': { target: 'oauth_client' },
  'account.exported': { log: 'account' },
  'account.removed': { log: 'account' },
  'answering.changed': { details: ['from', 'to', 'host', 'model', 'describes', 'last4'] },
  'audit.exported': { details: ['format'] },
  'report.decided': { target: 'place', details: ['decision'] },
  'impersonation.started': { log: 'account', details: ['reason'] },
  'impersonation.ended': { log: 'account', details: ['reason'] },
  'impersonation.call': { log: 'either', details: ['call'] },
  'impersonation.edit': { details: ['mutation'] },
} as const satisfies Record<AuditAction, EntryRow>;
