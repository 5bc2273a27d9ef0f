/** Rows of each kind that can be followed, as the lists of REST show them to the caller. */
import { sql } from 'kysely';
import type { Change, ChangeKind } from '#shared/changes/change.ts';
import type { Context } from '../context.ts';
import type { Member } from '../http/call.ts';
import { memoriesFor } from '../memories/service.ts';
import { spacesFor } from '../spaces/service.ts';
import { readableBy, readerIn } from '../sync/readable.ts';
import { threadsFor } from '../threads/service.ts';

type Put = Extract<Change, { action: 'put' }>;
type Read = (context: Context, actor: Member, ids: readonly string[]) => Promise<Put[]>;

const isAnyOf = (column: string, ids: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} = any(${ids}::text[])`;

const READS: Record<ChangeKind, Read> = {
  async workspace_member({ db }, actor, ids) {
    const { workspaceId } = actor;
    const rows = await db
      .selectFrom('workspace_member')
      .innerJoin('user', 'user.id', 'workspace_member.userId')
      .selectAll('workspace_member')
      .select(['user.forename', 'user.surname', 'user.username'])
      .where('workspace_member.workspaceId', '=', workspaceId)
      .where(isAnyOf('workspace_member.userId', ids))
      // Who has become a guest no longer sees the members.
      .where(readableBy('workspace_member', 'workspace_member', readerIn(actor)))
      .execute();
    return rows.map((row) => ({ action: 'put', kind: 'workspace_member', id: row.userId, row }));
  },
  async space({ db }, actor, ids) {
    const rows = await spacesFor(db, actor).where(isAnyOf('space.id', ids)).execute();
    return rows.map((row) => ({ action: 'put', kind: 'space', id: row.id, row }));
  },
  async thread({ db }, actor, ids) {
    const rows = await threadsFor(db, actor).where(isAnyOf('thread.id', ids)).execute();
    return rows.map((row) => ({ action: 'put', kind: 'thread', id: row.id, row }));
  },
  async memory({ db }, actor, ids) {
    const rows = await memoriesFor(db, actor).where(isAnyOf('memory.id', ids)).execute();
    return rows.map((row) => ({ action: 'put', kind: 'memory', id: row.id, row }));
  },
  // Also where an end is in the trash: the ends are deleted and restored without a change of the link.
  async space_memory({ db }, actor, ids) {
    const memoryIds = ids.map((id) => id.split('/')[1] ?? '');
    const wanted = new Set(ids);
    const rows = await db
      .selectFrom('space_memory')
      .selectAll('space_memory')
      .where('space_memory.workspaceId', '=', actor.workspaceId)
      .where(isAnyOf('space_memory.memoryId', memoryIds))
      .where(readableBy('space_memory', 'space_memory', readerIn(actor)))
      .execute();
    return rows.flatMap((row) => {
      const id = `${row.spaceId}/${row.memoryId}`;
      return wanted.has(id) ? [{ action: 'put', kind: 'space_memory', id, row }] : [];
    });
  },
};

export async function readRows(
  context: Context,
  actor: Member,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<Put[]> {
  return ids.length === 0 ? [] : READS[kind](context, actor, ids);
}
