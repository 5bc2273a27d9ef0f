/**
 * One request for every row of the table of calls that is answered with success, and what a request of any row needs to
 * have the right form. A row without a scene fails the tests of the contract.
 */
import type { EndpointName } from '#shared/endpoints.ts';
import { newId } from '#shared/ids.ts';
import { signUp, TEST_PASSWORD, verifyAddress, type Agent } from './agent.ts';
import { createBuild, join, type Cast } from './build.ts';
import { insertFeed } from './feeds.ts';
import type { World } from './world.ts';

/** Something of the right form for every path parameter. */
export function anyParams(cast: Cast): Record<string, string> {
  return {
    workspaceId: cast.workspaceId,
    workspaceSlug: 'x-y',
    slug: 'x-y',
    spaceId: newId('space'),
    threadId: newId('thread'),
    token: 'x',
    provider: 'github',
    webhookId: newId('webhook'),
  };
}

/** An id of the kind that a call takes, which names nothing. */
export function idFor(name: string): string {
  const kinds = { memory: 'memory', space: 'space', thread: 'thread', message: 'message' } as const;
  if (name.startsWith('session')) return newId('session');
  if (name.startsWith('api_key')) return newId('api_key');
  if (name.startsWith('webhook_delivery')) return newId('webhook_delivery');
  if (name.startsWith('webhook')) return newId('webhook');
  if (name.startsWith('invite')) return newId('invite');
  if (name.startsWith('passkey')) return crypto.randomUUID();
  if (name.startsWith('push')) return newId('session');
  if (name.startsWith('notification')) return newId('notification');
  if (/^(?:oauth_client|public_client|connected_app)\./.test(name)) return newId('oauth_client');
  if (name.startsWith('feed')) return newId('feed');
  if (name.startsWith('upload')) return newId('upload');
  if (name.startsWith('import')) return newId('upload');
  if (name.startsWith('export')) return newId('export');
  if (name.startsWith('workspace_member')) return newId('user');
  if (name.startsWith('share')) return newId('space');
  if (name.startsWith('space_memory')) return newId('memory');
  const kind = Object.values(kinds).find((each) => name.split('.')[0]?.endsWith(each));
  return newId(kind ?? 'memory');
}

/** What one call is sent. */
export interface Scene {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** Who calls; the owner of the workspace unless said otherwise. */
  by?: Agent;
}

/** Rows that other test files call with success, because they need more than a request. */
export const ELSEWHERE =
  /^(?:impersonation\.|report\.|public_client\.|access_request\.|news\.|auth\.(?:verify_email|reset_password|exchange|connect|disconnect|passkey)$|passkey\.(?:create|update|remove)|second_factor\.(?:enable|renew_codes)|memory\.(?:page|file|icon|preview|snapshot)|file\.get|notification\.remove_singular|public_notification\.|public_invite\.open|push\.(?:subscribe|unsubscribe)|upload\.|import\.(?:create|get|choose|undo)|webhook_delivery\.replay|feed\.(?:create|check)|oauth\.|connected_app\.remove|(?:public_)?message\.(?:rate|regenerate)$|public_(?:thread|message)\.create|(?:public_)?thread\.follow|answering_settings\.test|newsletter\.confirm)/;

/** In an order in which each finds what it needs. */
export async function createScenes(world: World, cast: Cast): Promise<[EndpointName, Scene][]> {
  const { workspaceId, alice, bob } = cast;
  const build = createBuild(cast);
  const [space, shelf, doomed, given] = [
    await build.space(),
    await build.space(),
    await build.space({ name: 'Doomed' }),
    await build.space({ visibility: 'private_and_guests' }),
  ];
  await alice.api('space.update', {
    params: { workspaceId, id: given.id },
    body: { grants: [{ userId: bob.user.id, level: 'read' }] },
  });
  const [memory, linked, lost] = [
    await build.memory({ notes: 'text', tags: ['tag'] }),
    await build.memory(),
    await build.memory(),
  ];
  const [thread, other] = [await build.thread(), await build.thread()];
  await build.link(shelf.id, linked.id);
  const message = await alice.api('message.create', {
    params: { workspaceId, threadId: thread.id },
    body: { content: 'hello' },
  });
  await alice.api('workspace_member.update', {
    params: { workspaceId, id: bob.user.id },
    body: { position: 'admin' },
  });
  await verifyAddress(world, alice);
  const key = await alice.api('api_key.create', { body: { workspaceId, name: 'Key', scopes: ['email'] } });
  const feed = await insertFeed(world, {
    workspaceId,
    ownerId: alice.user.id,
    spaceId: space.id,
    title: 'News',
  });
  const { result: hook } = await alice.api('webhook.create', {
    params: { workspaceId },
    body: { url: 'https://example.com/hook' },
  });
  const notice = (await bob.api('notification.list', {})).result[0]?.id ?? '';
  const guest = await signUp(world, 'invited');
  await verifyAddress(world, guest);
  const invite = async (address: string) =>
    (await alice.api('invite.create', { body: { workspaceId, email: address, position: 'member' } })).result
      .id;
  const [revoked, accepted] = [await invite('revoked@example.com'), await invite('invited@example.com')];
  const exported = (await alice.api('export.create', { body: { workspaceId } })).result;
  const heir = await signUp(world, 'heir');
  await join(world, workspaceId, heir, 'admin');
  const sessions = await bob.api('session.list', {});
  const inThread = { threadId: thread.id, id: message.result.message.id };
  const email = `scene-${newId('session').slice(0, 6)}@example.com`;
  return [
    ['auth.signup', { body: { email, password: TEST_PASSWORD } }],
    ['auth.login', { body: { email, password: TEST_PASSWORD } }],
    ['auth.whoami', {}],
    ['auth.options', {}],
    ['auth.ways_in', {}],
    ['auth.passkey_options', {}],
    ['auth.confirm_options', {}],
    ['passkey.options', {}],
    ['passkey.list', {}],
    ['second_factor.begin', {}],
    ['second_factor.remove', {}],
    ['auth.forgot_password', { body: { email } }],
    ['auth.resend_verification', {}],
    ['auth.update', { body: { forename: 'Alice' } }],
    ['session.list', {}],
    ['session.get', { by: bob, params: { id: sessions.result[0]?.id ?? '' } }],
    ['workspace.list', {}],
    ['workspace.create', { body: { name: 'Second' } }],
    ['workspace.get', {}],
    ['workspace.get_by_slug', { params: { slug: cast.slug } }],
    ['workspace.usage', {}],
    ['workspace.suspension', {}],
    ['workspace.add_sample', {}],
    ['workspace.replace', { body: { name: 'Acme', slug: cast.slug } }],
    ['workspace.update', { body: { name: 'Acme' } }],
    ['audit.list', {}],
    ['workspace_member.list', {}],
    ['workspace_member.get', { params: { id: bob.user.id } }],
    ['workspace_member.update', { params: { id: bob.user.id }, body: { position: 'member' } }],
    ['invite.create', { body: { workspaceId, email: 'third@example.com', position: 'read-only' } }],
    ['invite.list', {}],
    ['invite.get', { params: { id: revoked } }],
    ['invite.revoke', { params: { id: revoked } }],
    ['invite.received', { by: guest }],
    ['invite.open', { by: guest, params: { id: accepted }, body: {} }],
    ['invite.answer', { by: guest, params: { id: accepted }, body: { status: 'accepted' } }],
    // The one that is under way.
    ['export.create', { body: { workspaceId } }],
    ['export.list', {}],
    ['export.get', { params: { id: exported.id } }],
    ['change.list', {}],
    ['feed.list', {}],
    ['feed.get', { params: { id: feed } }],
    ['feed.update', { params: { id: feed }, body: { state: 'paused' } }],
    ['feed.remove', { params: { id: feed } }],
    ['webhook.create', { body: { url: 'https://example.com/hook' } }],
    ['webhook.list', {}],
    ['webhook.get', { params: { id: hook.id } }],
    ['webhook.update', { params: { id: hook.id }, body: { description: 'Ours' } }],
    ['webhook.renew_secret', { params: { id: hook.id } }],
    ['webhook.test', { params: { id: hook.id } }],
    ['webhook_delivery.list', { params: { webhookId: hook.id } }],
    ['webhook.remove', { params: { id: hook.id } }],
    ['memory.list', {}],
    ['memory.random', {}],
    ['memory.create', { body: { workspaceId, url: 'https://example.com/contract' } }],
    ['memory.search', { body: { workspaceId, query: 'memory' } }],
    ['memory.get', { params: { id: memory.id } }],
    ['memory.body', { params: { id: memory.id } }],
    ['memory.texts', { body: { texts: [{ id: memory.id, part: 'body' }] } }],
    ['memory.replace', { params: { id: memory.id }, body: { title: 'x' } }],
    ['memory.update', { params: { id: memory.id }, body: { tags: ['y'] } }],
    ['memory.remove', { params: { id: lost.id } }],
    ['tag.list', {}],
    ['space.list', {}],
    ['space.get_by_slug', { params: { workspaceSlug: cast.slug, slug: space.slug } }],
    ['space.create', { body: { workspaceId, name: 'Third' } }],
    ['space.search', { body: { workspaceId, query: 'space' } }],
    ['space.get', { params: { id: space.id } }],
    ['space.view_as', { params: { id: space.id } }],
    ['space.replace', { params: { id: space.id }, body: { name: 'x', slug: 'x-1' } }],
    ['space.update', { params: { id: space.id }, body: { color: 'lake' } }],
    ['space.remove', { params: { id: doomed.id } }],
    ['space_memory.list', {}],
    ['space_memory.create', { body: { workspaceId, spaceId: space.id, memoryId: memory.id } }],
    ['space_memory.get', { params: { spaceId: shelf.id, id: linked.id } }],
    ['space_memory.remove', { params: { spaceId: shelf.id, id: linked.id } }],
    ['visibility.list', {}],
    ['thread.list', {}],
    ['thread.create', { body: { workspaceId, content: 'first' } }],
    ['thread.branch', { params: { id: thread.id }, body: { messageId: message.result.message.id } }],
    ['thread.search', { body: { workspaceId, query: 'hello' } }],
    ['thread.get', { params: { id: thread.id } }],
    ['thread.view_as', { params: { id: thread.id } }],
    ['thread.private_quotes', { params: { id: thread.id }, body: { visibility: 'public' } }],
    ['thread.replace', { params: { id: thread.id }, body: { name: 'x' } }],
    ['thread.update', { params: { id: thread.id }, body: { name: 'y' } }],
    ['thread.remove', { params: { id: other.id } }],
    ['message.list', { params: inThread }],
    ['message.create', { params: inThread, body: { content: 'again' } }],
    ['message.get', { params: inThread }],
    ['message.stop', { params: inThread }],
    ['answering.get', {}],
    ['mail_address.get', {}],
    ['mail_address.renew', {}],
    ['mail_address.remove', {}],
    ['answering_settings.get', {}],
    ['answering_settings.replace', { body: { provider: 'none' } }],
    ['api_key.create', { body: { workspaceId, name: 'Key', scopes: ['profile'] } }],
    ['api_key.list', {}],
    ['api_key.get', { params: { id: key.result.id } }],
    ['api_key.remove', { params: { id: key.result.id } }],
    ['notification.list', { by: bob }],
    ['notification.get', { by: bob, params: { id: notice } }],
    ['notification.update', { by: bob, params: { id: notice }, body: { seen: true } }],
    ['notification.remove', { by: bob, params: { id: notice } }],
    ['notification_settings.get', {}],
    ['notification_settings.replace', { body: {} }],
    ['push.key', {}],
    ['push.list', {}],
    ['scope.list', {}],
    ['openapi.get', {}],
    ['avatar.get', { query: '?email=a@example.com' }],
    ['newsletter.create', { body: { email } }],
    ['share.list', {}],
    ['share.leave', { by: bob, params: { id: given.id } }],
    ['workspace_member.remove', { params: { id: bob.user.id } }],
    ['session.remove', { by: bob, params: { id: sessions.result[0]?.id ?? '' } }],
    ['workspace.remove', {}],
    ['workspace.list_deleted', {}],
    ['workspace.list_shared', {}],
    ['workspace.restore', {}],
    ['workspace.transfer', { body: { userId: heir.user.id } }],
    ['auth.confirm', { body: { password: TEST_PASSWORD } }],
    ['auth.email_change', {}],
    ['auth.cancel_email_change', {}],
    ['auth.export', {}],
    ['auth.removal_plan', {}],
    ['auth.logout', {}],
    ['auth.remove', { by: cast.rita }],
  ]; // prettier-ignore
}
