/** What tests of invitations share: people who may invite, people who are invited, and the calls they make. */
import type { Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { signUp, verifyAddress, type Agent, type RawAnswer } from './agent.ts';
import { createCast, join, type Cast } from './build.ts';
import type { World } from './world.ts';

/** The member who invites, and the workspace. */
export type Sender = Pick<Cast, 'alice' | 'workspaceId'>;
type Caller = Pick<Agent, 'raw'>;

let names = 0;

/** A name that is not taken yet. */
export function freshName(): string {
  names += 1;
  return `guest-${names}`;
}

/** Four people, of whom the owner may invite. */
export async function createInvitingCast(world: World): Promise<Cast> {
  const made = await createCast(world);
  await verifyAddress(world, made.alice);
  return made;
}

/** An account that has proven its address and is in no workspace. */
export async function createGuest(world: World): Promise<Agent> {
  const guest = await signUp(world, freshName());
  await verifyAddress(world, guest);
  return guest;
}

/** An admin who may invite. */
export async function createAdmin(world: World, { workspaceId }: Pick<Cast, 'workspaceId'>): Promise<Agent> {
  const adam = await createGuest(world);
  await join(world, workspaceId, adam, 'admin');
  return adam;
}

/** Sends an invitation that has to succeed. */
export async function invite(
  { alice, workspaceId }: Sender,
  email: string,
  position: Exclude<Position, 'owner'> = 'member',
): Promise<Id<'invite'>> {
  return (await alice.api('invite.create', { body: { workspaceId, email, position } })).result.id;
}

/** Sends an invitation that may be refused. */
export function trySend(
  by: Caller,
  workspaceId: string,
  { email, position = 'member' }: { email: string; position?: string },
): Promise<RawAnswer> {
  return by.raw('POST', '/v1/invites', { body: { workspaceId, email, position } });
}

export function answerInvite(
  by: Caller,
  id: string,
  body: unknown = { status: 'accepted' },
): Promise<RawAnswer> {
  return by.raw('PUT', `/v1/invites/${id}`, { body });
}

export function openInvite(by: Caller, id: string, body: unknown = {}): Promise<RawAnswer> {
  return by.raw('POST', `/v1/invites/${id}/open`, { body });
}

export function revokeInvite(by: Caller, id: string, workspaceId: string): Promise<RawAnswer> {
  return by.raw('DELETE', `/v1/invites/${workspaceId}/${id}`);
}

/** The status as the sender sees it. */
export async function inviteStatus({ alice, workspaceId }: Sender, id: Id<'invite'>): Promise<string> {
  return (await alice.api('invite.get', { params: { workspaceId, id } })).result.status;
}

/** The position of a person; undefined for strangers. */
export async function positionIn(
  { alice, workspaceId }: Sender,
  { user }: Pick<Agent, 'user'>,
): Promise<string | undefined> {
  const { json } = await alice.raw('GET', `/v1/workspace_members/${workspaceId}/${user.id}`);
  return Object(json?.result).position;
}
