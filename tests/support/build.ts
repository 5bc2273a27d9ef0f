/**
 * Makes what a test needs with few words: people in a workspace by position, and rows that fill in their own parents.
 * Content is made through the API as the owner, so that feeds and effects are those of the product.
 */
import type { Row } from '#shared/entities.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { addMember } from '#server/workspaces/membership.ts';
import { signUp, verifyAddress, type Agent } from './agent.ts';
import type { World } from './world.ts';

/** The four people of most tests: three members of one workspace and a stranger with a workspace of her own. */
export interface Cast {
  workspaceId: Id<'workspace'>;
  slug: string;
  /** Owner. */
  alice: Agent;
  /** Member. */
  bob: Agent;
  /** Read-only. */
  rita: Agent;
  /** In no workspace of the others. */
  eve: Agent;
  evesWorkspaceId: Id<'workspace'>;
}

let casts = 0;

/** Signs up the four people; each call makes new ones. */
export async function createCast(world: World): Promise<Cast> {
  casts += 1;
  const [alice, bob, rita, eve] = await Promise.all([
    signUp(world, `alice-${casts}`),
    signUp(world, `bob-${casts}`),
    signUp(world, `rita-${casts}`),
    signUp(world, `eve-${casts}`),
  ]);
  const { result } = await alice.api('workspace.create', { body: { name: `Acme ${casts}` } });
  await join(world, result.id, bob, 'member');
  await join(world, result.id, rita, 'read-only');
  const eves = await eve.api('workspace.create', { body: { name: `Eve’s corner ${casts}` } });
  // After the workspaces were founded, so that none takes the domain of its founder.
  for (const agent of [alice, bob, rita, eve]) {
    await verifyAddress(world, agent);
    agent.user = (await agent.api('auth.whoami', {})).result;
  }
  return {
    workspaceId: result.id,
    slug: result.slug,
    alice,
    bob,
    rita,
    eve,
    evesWorkspaceId: eves.result.id,
  };
}

/** Makes a person a member. */
export async function join(
  world: World,
  workspaceId: Id<'workspace'>,
  { user }: Agent,
  position: Position,
): Promise<void> {
  await writeInRealm(world.context, workspaceId, systemActor, (tx) =>
    addMember(tx, { userId: user.id, position, invitedBy: null }),
  );
}

/** Builders for one workspace, acting as its owner by default. */
export function createBuild({ workspaceId, alice }: Cast) {
  return {
    memory: async (
      given: Partial<
        Pick<Row<'memory'>, 'title' | 'description' | 'notes' | 'url' | 'tags' | 'spaceId' | 'created'>
      > = {},
      by = alice,
    ) => (await by.api('memory.create', { body: { workspaceId, title: 'A memory', ...given } })).result,
    space: async (
      given: Partial<Pick<Row<'space'>, 'name' | 'slug' | 'visibility' | 'description'>> = {},
      by = alice,
    ) =>
      (
        await by.api('space.create', {
          body: { workspaceId, name: 'A space', ...given, description: given.description ?? null },
        })
      ).result,
    thread: async (given: Partial<Pick<Row<'thread'>, 'name' | 'visibility'>> = {}, by = alice) =>
      (await by.api('thread.create', { body: { workspaceId, name: 'A thread', ...given } })).result,
    link: async (spaceId: Id<'space'>, memoryId: Id<'memory'>, by = alice) =>
      (await by.api('space_memory.create', { body: { workspaceId, spaceId, memoryId } })).result,
    /** Ids of the right form that name nothing. */
    nowhere: () => ({
      memory: newId('memory'),
      space: newId('space'),
      thread: newId('thread'),
      message: newId('message'),
      workspace: newId('workspace'),
    }),
  };
}
