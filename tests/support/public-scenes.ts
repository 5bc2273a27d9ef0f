/**
 * Requests that need something published or an app of the workspace: what visitors read, copy and report, what members rate
 * and export, and the calls of OAuth clients. Beside scenes.ts, before whose end the workspace is still there.
 */
import type { EndpointName } from '#shared/endpoints.ts';
import { createBuild, type Cast } from './build.ts';
import type { Scene } from './scenes.ts';

/** In an order in which each finds what it needs. */
export async function createPublicScenes(cast: Cast): Promise<[EndpointName, Scene][]> {
  const { workspaceId, alice, slug } = cast;
  const build = createBuild(cast);
  const space = await build.space({ name: 'Open harbour', visibility: 'public' });
  const memory = await build.memory({ title: 'Tide tables', notes: 'High water at nine.' });
  await build.link(space.id, memory.id);
  const thread = await build.thread({ name: 'Open talk', visibility: 'public' });
  const inThread = { threadId: thread.id };
  await alice.api('message.create', { params: { workspaceId, ...inThread }, body: { content: 'When?' } });
  const inSpace = { spaceId: space.id, id: memory.id };
  const redirectUris = ['https://app.example/callback'];
  const [app, gone] = [
    await alice.api('oauth_client.create', { body: { workspaceId, name: 'Reader', redirectUris } }),
    await alice.api('oauth_client.create', { body: { workspaceId, name: 'Gone', redirectUris } }),
  ];
  const ofApp = { id: app.result.id };
  return [
    ['public_workspace.get', { params: { id: workspaceId } }],
    ['public_workspace.get_by_slug', { params: { slug } }],
    ['public_space.trending', {}],
    ['public_space.newest', {}],
    ['public_space.list', {}],
    ['public_space.get', { params: { id: space.id } }],
    ['public_space.get_by_slug', { params: { workspaceSlug: slug, slug: space.slug } }],
    ['public_space.search', { body: { query: 'harbour' } }],
    ['public_space.report', { body: { workspaceId, id: space.id, reason: 'spam' } }],
    ['public_memory.list', { params: { spaceId: space.id } }],
    ['public_memory.get', { params: inSpace }],
    ['public_memory.search', { body: { query: 'tide tables' } }],
    ['public_thread.list', {}],
    ['public_thread.get', { params: { id: thread.id } }],
    ['public_thread.get_by_slug', { params: { workspaceSlug: slug, id: thread.id } }],
    ['public_thread.report', { body: { workspaceId, id: thread.id, reason: 'spam' } }],
    ['public_message.list', { params: inThread }],
    ['public_message.rated', { params: inThread }],
    ['public_message.export', { body: { workspaceId, ...inThread } }],
    ['message.rated', { params: inThread }],
    ['message.export', { body: { workspaceId, ...inThread } }],
    ['space.clone', { body: { workspaceId, spaceId: space.id } }],
    ['oauth_client.list_public', {}],
    ['oauth_client.get_public', { params: ofApp }],
    ['oauth_client.create', { body: { workspaceId, name: 'Writer', redirectUris } }],
    ['oauth_client.list', {}],
    ['oauth_client.get', { params: ofApp }],
    ['oauth_client.update', { params: ofApp, body: { name: 'Paper reader', redirectUris } }],
    ['oauth_client.verify', { params: ofApp, body: { verified: true } }],
    ['oauth_client.renew_secret', { params: ofApp }],
    ['oauth_client.remove', { params: { id: gone.result.id } }],
    ['connected_app.list', {}],
    ['import.list', {}],
    ['audit.export', {}],
    ['staff.whoami', {}],
  ];
}
