/**
 * A copy of a person's own data as one JSON file, written in parts while it is read, so that its size is no matter of
 * memory: profile, sessions, ways to log in, memberships, connected apps, notification settings, and the memories the person
 * owns where they are still a member. What proves a log-in (hashes, keys, codes) is not among it.
 */
import type { Id } from '#shared/ids.ts';
import { across } from '../db/across.ts';
import type { Context } from '../context.ts';
import type { SessionPerson } from '../http/call.ts';
import { readSettings } from '../notifications/service.ts';
import { connectedAppsOf } from '../oauth/service.ts';
import { listPasskeys } from './passkeys.ts';
import { waysInOf } from './ways-in.ts';

/** Memories read at once; each may hold 100,000 characters. */
const AT_ONCE = 100;

type ExportContext = Pick<Context, 'db' | 'clock' | 'identity'>;

/** The text of the file, piece by piece. */
export async function* exportAccount(
  context: ExportContext,
  { user }: Pick<SessionPerson, 'user'>,
): AsyncGenerator<string> {
  const facts = {
    exported: context.clock.now().toISOString(),
    profile: user,
    sessions: await sessionsOf(context, user.id),
    waysIn: await waysInOf(context, user.id),
    passkeys: await listPasskeys(context, user.id),
    memberships: await membershipsOf(context, user.id),
    connectedApps: await connectedAppsOf(context, user.id),
    notificationSettings: await readSettings(context.db, user.id),
  };
  yield `${JSON.stringify(facts, null, 2).replace(/\n\}$/, '')},\n  "memories": [`;
  let before = '\n';
  for await (const memory of memoriesOf(context, user.id)) {
    yield `${before}    ${JSON.stringify(memory)}`;
    before = ',\n';
  }
  yield '\n  ]\n}\n';
}

function sessionsOf({ db }: ExportContext, userId: Id<'user'>) {
  return (
    db
      .selectFrom('session')
      .select(['id', 'userAgent', 'created', 'updated', 'expiresAt'])
      .where('userId', '=', userId)
      // A session of staff is theirs.
      .where('impersonator', 'is', null)
      .orderBy('created')
      .execute()
  );
}

function membershipsOf({ db }: ExportContext, userId: Id<'user'>) {
  return db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspaceId')
    .select(['workspace.id', 'workspace.slug', 'workspace.name'])
    .select(['workspace_member.position', 'workspace_member.created'])
    .where('workspace_member.userId', '=', userId)
    .where('workspace.deletedAt', 'is', null)
    .orderBy('workspace_member.created')
    .modifyEnd(across('account'))
    .execute();
}

async function* memoriesOf({ db }: ExportContext, userId: Id<'user'>) {
  let last: Id<'memory'> | undefined;
  for (;;) {
    const rows = db
      .selectFrom('memory')
      .innerJoin('workspace_member', (join) =>
        join
          .onRef('workspace_member.workspaceId', '=', 'memory.workspaceId')
          .on('workspace_member.userId', '=', userId),
      )
      .innerJoin('workspace', 'workspace.id', 'memory.workspaceId')
      .select(['memory.id', 'memory.workspaceId', 'memory.spaceId', 'memory.type', 'memory.origin'])
      .select(['memory.title', 'memory.description', 'memory.summary', 'memory.url', 'memory.notes'])
      .select(['memory.tags', 'memory.filename', 'memory.archived', 'memory.created', 'memory.updated'])
      .where('memory.ownerId', '=', userId)
      .where('memory.deletedAt', 'is', null)
      .where('workspace.deletedAt', 'is', null)
      .orderBy('memory.id')
      .modifyEnd(across('account'))
      .limit(AT_ONCE);
    const page = await (last === undefined ? rows : rows.where('memory.id', '>', last)).execute();
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < AT_ONCE) return;
    last = end.id;
  }
}
