/**
 * A workspace with something of every kind that others try to reach: everything in it carries one mark, so that a leak
 * shows in any answer, and everything in it can be compared with what it was before.
 */
import { sql } from 'kysely';
import { z } from 'zod';
import { runExport } from '#server/capture/exports/export-run.ts';
import { exampleOf } from '#shared/openapi/examples.ts';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { signUp, verifyAddress, type Agent } from './agent.ts';
import { createBuild, join, type Cast } from './build.ts';
import { createKey } from './keys.ts';
import { partsAt } from './parts.ts';
import { uploadArchive } from './person.ts';
import { insertFeed } from './feeds.ts';
import { uploadFile } from './upload.ts';
import type { World } from './world.ts';
import { zipOf } from './zip.ts';

/** Stands in every text of the victim's private rows. */
export const MARK = 'classified-harbour-7f3a';

/** Ids of the victim's rows, by the name of the field or kind that means them. */
export type VictimIds = Readonly<Record<string, string>>;

/** Makes the rows as the owner; no other person reads them. */
export async function createVictim(world: World, cast: Cast): Promise<VictimIds> {
  const { alice, workspaceId, slug } = cast;
  const build = createBuild(cast);
  const space = await build.space({ name: `${MARK} space`, visibility: 'private' });
  const { json: uploaded } = await uploadFile(world, alice, {
    workspaceId,
    bytes: `%PDF-1.4\n% ${MARK}`,
    name: `${MARK}.pdf`,
    payload: { title: `${MARK} note`, notes: MARK, tags: [MARK], spaceId: space.id },
  });
  const memory: { id: Id<'memory'> } = uploaded.result;
  await build.link(space.id, memory.id);
  const thread = await build.thread({ name: `${MARK} thread`, visibility: 'private' });
  const { result: sent } = await alice.api('message.create', {
    params: { workspaceId, threadId: thread.id },
    body: { content: MARK },
  });
  const { key } = await createKey(world, alice, { workspaceId, scopes: ['profile', 'email'] });
  const { result: client } = await alice.api('oauth_client.create', {
    body: { ...CLIENT, workspaceId, confidential: true },
  });
  const { result: invite } = await alice.api('invite.create', {
    body: { workspaceId, email: 'expected@example.com', position: 'member' },
  });
  const [notification] = (await alice.api('notification.list', {})).result;
  const [session] = (await alice.api('session.list', {})).result;
  const { result: hook } = await alice.api('webhook.create', {
    params: { workspaceId },
    body: { url: `https://example.com/${MARK}` },
  });
  const { result: delivery } = await alice.api('webhook.test', { params: { workspaceId, id: hook.id } });
  const feed = await insertFeed(world, {
    workspaceId,
    ownerId: alice.user.id,
    spaceId: space.id,
    title: `${MARK} feed`,
  });
  const exported = (await alice.api('export.create', { body: { workspaceId } })).result;
  await runExport(world.context, exported.id);
  const { json: begun } = await partsAt({ url: world.url, token: alice.token, workspaceId }).begin({
    bytes: 100,
    filename: `${MARK}.pdf`,
  });
  const imported = await uploadArchive(
    world.url,
    { token: alice.token, workspaceId },
    await zipOf([{ path: 'classified.md', bytes: MARK }]),
  );
  const passkey = crypto.randomUUID();
  await world.context.db
    .insertInto('passkey')
    .values({
      id: passkey,
      userId: alice.user.id,
      credentialId: MARK,
      publicKey: MARK,
      counter: 1,
      transports: [],
      backedUp: false,
      name: MARK,
      created: alice.user.created,
      lastUsedAt: null,
    })
    .execute();
  await world.context.db
    .insertInto('push_subscription')
    .values({
      sessionId: session?.id ?? newId('session'),
      userId: alice.user.id,
      endpoint: `https://push.example/${MARK}`,
      p256dh: MARK,
      auth: MARK,
      created: alice.user.created,
    })
    .execute();
  return {
    workspaceId,
    slug,
    workspaceSlug: slug,
    workspace: workspaceId,
    space: space.id,
    sidebar: alice.user.id,
    spaceId: space.id,
    share: space.id,
    spaceSlug: space.slug,
    memory: memory.id,
    memoryId: memory.id,
    thread: thread.id,
    threadId: thread.id,
    message: sent.message.id,
    messageId: sent.message.id,
    api_key: key.id,
    oauth_client: client.id,
    client: client.id,
    connected_app: client.id,
    invite: invite.id,
    notification: notification?.id ?? '',
    session: session?.id ?? '',
    push: session?.id ?? '',
    passkey,
    import: imported,
    upload: String(begun.result.id),
    export: exported.id,
    feed,
    webhook: hook.id,
    webhookId: hook.id,
    webhook_delivery: delivery.id,
    change: workspaceId,
    user: alice.user.id,
    userId: alice.user.id,
    workspace_member: alice.user.id,
    space_memory: memory.id,
    report: newId('internal_event'),
  };
}

const CLIENT = {
  name: `${MARK} app`,
  description: null,
  email: null,
  logoUrl: null,
  websiteUrl: null,
  privacyPolicyUrl: null,
  termsOfServiceUrl: null,
  redirectUris: ['https://app.example/callback'],
};

/** All rows of the victim's workspace and account as text, without the times at which credentials were used. */
export async function readVictim(world: World, { workspaceId, userId }: VictimIds): Promise<string> {
  const { rows } = await sql<{ state: unknown }>`
    select json_build_object(
      'workspace', (select json_agg(t order by t."id") from "workspace" t where "id" = ${workspaceId}),
      'members', (select json_agg(t order by t."id") from "workspace_member" t where "workspaceId" = ${workspaceId}),
      'spaces', (select json_agg(t order by t."id") from "space" t where "workspaceId" = ${workspaceId}),
      'sidebars', (select json_agg(t) from "sidebar" t where "workspaceId" = ${workspaceId} and "userId" = ${userId}),
      'memories', (select json_agg(t order by t."id") from "memory" t where "workspaceId" = ${workspaceId}),
      'links', (select json_agg(t order by t."spaceId", t."memoryId") from "space_memory" t where "workspaceId" = ${workspaceId}),
      'threads', (select json_agg(t order by t."id") from "thread" t where "workspaceId" = ${workspaceId}),
      'messages', (select json_agg(t order by t."id") from "message" t where "workspaceId" = ${workspaceId}),
      'invites', (select json_agg(t order by t."id") from "invite" t where "workspaceId" = ${workspaceId}),
      'clients', (select json_agg(t order by t."id") from "oauth_client" t where "workspaceId" = ${workspaceId}),
      'webhooks', (select json_agg(t order by t."id") from "webhook" t where "workspaceId" = ${workspaceId}),
      'uploads', (select json_agg(t order by t."id") from "partial_upload" t where "workspaceId" = ${workspaceId}),
      'feeds', (select json_agg(t order by t."id") from "feed" t where "workspaceId" = ${workspaceId}),
      'deliveries', (select json_agg(t order by t."id") from "webhook_delivery" t where "workspaceId" = ${workspaceId}),
      'keys', (select json_agg(to_jsonb(t) - 'lastUsedAt' order by t."id") from "api_key" t where "workspaceId" = ${workspaceId}),
      'sessions', (select json_agg(t."id" order by t."id") from "session" t where "userId" = ${userId}),
      'notifications', (select json_agg(t order by t."id") from "notification" t where "userId" = ${userId}),
      'passkeys', (select json_agg(t order by t."id") from "passkey" t where "userId" = ${userId}),
      'pushes', (select json_agg(t order by t."sessionId") from "push_subscription" t where "userId" = ${userId}),
      'user', (select json_agg(t) from "user" t where "id" = ${userId})
    ) as "state"`.execute(world.context.db);
  return JSON.stringify(rows[0]?.state);
}

/** The victim's row that a call or mutator is about, by the kind in its name; a kind that is unknown here fails. */
export function idOf(victim: VictimIds, name: string): string {
  const [kind = ''] = name.split('.');
  const id = victim[kind.replace(/^public_/, '')];
  if (id === undefined)
    throw new Error(`Nothing says which row of the victim ${name} is about: see victim.ts`);
  return id;
}

/** Puts the victim's ids into an example, wherever a field means a row. */
export function withVictim(victim: VictimIds, example: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(Object(example)).map(([field, value]) => [
      field,
      field === 'spaceIds' ? [victim['spaceId']] : field === 'slug' ? 'taken-away' : (victim[field] ?? value),
    ]),
  );
}

/** A body that the call accepts, with the victim's ids in it. */
export function bodyOf(
  victim: VictimIds,
  { body, example, method }: AnyEndpoint,
): Record<string, unknown> | undefined {
  if (body === undefined || method === 'GET') return undefined;
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  return withVictim(victim, {
    ...Object(exampleOf(schema, Object(schema.$defs), { requiredOnly: true })),
    ...example,
  });
}

/** A person who has just become a member of the workspace. */
export async function createMember(world: World, { workspaceId }: Cast, position: Position): Promise<Agent> {
  const person = await signUp(world, `member-${newId('session').slice(0, 8)}`);
  await verifyAddress(world, person);
  await join(world, workspaceId, person, position);
  return person;
}
