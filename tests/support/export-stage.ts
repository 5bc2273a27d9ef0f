/** People, keys and things of which exports show each person a part. */
import type { ArchiveRow } from '#server/capture/workspace-archive.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { changePosition, removeMember } from '#server/workspaces/membership.ts';
import type { Scope } from '#shared/api-keys/scopes.ts';
import type { Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { createRaw, type Agent } from './agent.ts';
import { createBuild, type Cast } from './build.ts';
import { storeToken } from './oauth.ts';
import type { World } from './world.ts';
import { asPerson } from '#server/sync/readable.ts';

export const ALL_SCOPES: Scope[] = ['memories:read', 'spaces:read', 'threads:read'];

/** What a test of exports plays on. */
export interface ExportStage {
  world: World;
  cast: Cast;
}

/** What a credential may do, and in which spaces; null for all. */
interface Limits {
  scopes: Scope[];
  spaceIds?: Id<'space'>[] | null;
}

/** An API key. */
export async function keyOf(
  { world, cast: { workspaceId } }: ExportStage,
  owner: Agent,
  { scopes, spaceIds = null }: Limits,
) {
  const { result } = await owner.api('api_key.create', {
    body: { workspaceId, name: 'Key', scopes, spaceIds },
  });
  return { id: result.id, raw: createRaw(world, result.secret) };
}

/** An access token as an app holds it. */
export async function tokenOf(
  { world, cast: { workspaceId } }: ExportStage,
  { user }: Agent,
  { scopes, spaceIds = null }: Limits,
) {
  const token = await storeToken(world, { userId: user.id, workspaceId, scopes, spaceIds });
  return { token, raw: createRaw(world, token) };
}

/** The titles of exported memories. */
export const titlesOf = (rows: readonly ArchiveRow[]) =>
  rows.flatMap((row) => (row.kind === 'memory' ? [row.title ?? ''] : [])).toSorted();

/** The kinds of exported rows. */
export const kindsOf = (rows: readonly ArchiveRow[]) => [...new Set(rows.map(({ kind }) => kind))].toSorted();

/** A workspace in which each thing is for other people. */
export async function furnish({ cast }: ExportStage) {
  const build = createBuild(cast);
  const { alice, bob, workspaceId } = cast;
  const garden = await build.space({ name: 'Garden' });
  const kitchen = await build.space({ name: 'Kitchen' });
  const secret = await build.space({ name: 'Secret of Alice', visibility: 'private' });
  const pears = await build.memory({ title: 'Pears' });
  await build.link(garden.id, pears.id);
  await build.memory({ title: 'Bread', spaceId: kitchen.id });
  await build.memory({ title: 'Plan', spaceId: secret.id });
  await build.memory({ title: 'For all' });
  const gone = await build.memory({ title: 'Deleted' });
  await alice.api('memory.remove', { params: { workspaceId, id: gone.id } });
  await build.thread({ name: 'Of Alice' });
  await build.thread({ name: 'Of Bob' }, bob);
  return { garden, kitchen, secret, pears };
}

/** Ends a membership, as the owner. */
export async function remove({ world, cast }: ExportStage, { user }: Agent): Promise<void> {
  const { alice, workspaceId } = cast;
  await writeInRealm(world.context, workspaceId, asPerson(alice.user.id), (tx) =>
    removeMember(tx, { userId: alice.user.id, position: 'owner' }, user.id),
  );
}

/** Gives a member another position, as the owner. */
export async function demote(
  { world, cast }: ExportStage,
  { user }: Agent,
  position: Position,
): Promise<void> {
  const { alice, workspaceId } = cast;
  await writeInRealm(world.context, workspaceId, asPerson(alice.user.id), (tx) =>
    changePosition(tx, { userId: alice.user.id, position: 'owner' }, { userId: user.id, position }),
  );
}
