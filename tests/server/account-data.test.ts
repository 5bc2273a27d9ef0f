/** What a person can take along, and what deleting the account would do, told before. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { SESSION } from '#shared/accounts/limits.ts';
import { PAGE_SIZE_MAX } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { TEST_PASSWORD, verifyAddress, type Agent } from '#tests/support/agent.ts';
import { createAuthenticator } from '#tests/support/authenticator.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { connect, registerClient, storeToken } from '#tests/support/oauth.ts';
import { uploadFile } from '#tests/support/upload.ts';
import { entriesOf } from '#tests/support/workspace-export.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);

interface Exported {
  profile: { id: string; email: string };
  sessions: object[];
  waysIn: { password: boolean; providers: object[]; passkeys: number };
  passkeys: object[];
  connectedApps: object[];
  notificationSettings: object;
  memberships: { id: string; position: string }[];
  memories: { id: string; title: string; notes: string; file: string | null; savedPage: string | null }[];
}

/** What is in the zip, as text by path. */
async function exportedFiles({ token }: Pick<Agent, 'token'>): Promise<ReadonlyMap<string, string>> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${world.url}/v1/auth/export`, { headers });
  return entriesOf(Buffer.from(await response.arrayBuffer()));
}

const exportedText = async (agent: Pick<Agent, 'token'>) =>
  (await exportedFiles(agent)).get('account.json') ?? '';
const exported = async (agent: Pick<Agent, 'token'>): Promise<Exported> =>
  JSON.parse(await exportedText(agent));

describe('a copy of the own data', () => {
  it('holds profile, sessions, memberships and all own memories, and nothing of others', async () => {
    const { api } = cast.bob;
    const { workspaceId } = cast;
    // More than are read at once, and texts that need escaping.
    const titles = Array.from({ length: 230 }, (_, n) => `Note ${n} "quoted" \u2028 ${'é'.repeat(n)}`);
    for (const title of titles)
      await api('memory.create', { body: { workspaceId, title, notes: `# ${title}` } });
    const gone = await api('memory.create', { body: { workspaceId, notes: 'in the trash' } });
    await api('memory.remove', { params: { workspaceId, id: gone.result.id } });
    await createBuild(cast).memory({ title: 'Of Alice' });
    const { profile, sessions, memberships, memories } = await exported(cast.bob);
    expect(profile).toEqual(cast.bob.user);
    expect(memberships).toMatchObject([{ id: workspaceId, position: 'member' }]);
    expect(memories.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
    expect(memories.find(({ title }) => title === titles[7])?.notes).toBe(`# ${titles[7]}`);
    expect(sessions).toHaveLength(1);
    expect(JSON.stringify(sessions)).not.toContain(cast.bob.token);
    expect(Object.keys(sessions[0] ?? {})).not.toContain('tokenHash');
  });

  it('has the files and saved pages of the own memories, and says which have lost theirs', async () => {
    const { alice, bob, slug, workspaceId } = await createCast(world);
    const { context } = world;
    const upload = async (agent: Agent, name: string, bytes: string) => {
      const { json } = await uploadFile(world, agent, { workspaceId, bytes, name, payload: { title: name } });
      return context.db
        .selectFrom('memory')
        .select(['id', 'uploadId'])
        .where('id', '=', json.result.id)
        .executeTakeFirstOrThrow();
    };
    await upload(bob, 'tides.csv', 'high;low');
    await upload(bob, 'Tides.csv', 'spring;neap');
    await upload(alice, 'of-alice.csv', 'not;his');
    const trashed = await upload(bob, 'trashed.csv', 'thrown;away');
    await bob.api('memory.remove', { params: { workspaceId, id: trashed.id } });
    const lost = await upload(bob, 'lost.csv', 'no;bytes');
    await context.files.remove(`${workspaceId}/${lost.uploadId}`);
    const link = await createBuild({ ...cast, alice, bob, workspaceId }).memory(
      { title: 'A page', url: 'https://example.com/a', notes: null },
      bob,
    );
    const page = await upload(bob, 'page.csv', '<p>As it was');
    await sql`update "memory_page" set "snapshotId" = ${page.uploadId}
      where "workspaceId" = ${workspaceId} and "memoryId" = ${link.id}`.execute(context.db);

    const files = await exportedFiles(bob);
    const { memories } = await exported(bob);
    const read = (path: string | null) => (path === null ? null : files.get(path));
    const found = memories.map(({ title, file, savedPage }) => [title, read(file), read(savedPage)]);
    expect(new Set(found)).toEqual(
      new Set([
        ['A page', null, '<p>As it was'],
        ['Tides.csv', 'spring;neap', null],
        ['lost.csv', null, null],
        ['page.csv', '<p>As it was', null],
        ['tides.csv', 'high;low', null],
      ]),
    );
    const paths = memories.flatMap(({ file, savedPage }) =>
      [file, savedPage].filter((path) => path !== null),
    );
    expect([...files.keys()].toSorted()).toEqual([...paths, 'account.json'].toSorted());
    // Many file systems would keep one of two names that differ in case alone.
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(4);
    expect(paths.filter((path) => !path.startsWith(`${slug}/`))).toEqual([]);
  });

  it('is whole for a person without memories', async () => {
    const { memberships, memories, profile } = await exported(cast.eve);
    expect(memberships).toMatchObject([{ id: cast.evesWorkspaceId, position: 'owner' }]);
    expect([memories, profile.email]).toEqual([[], cast.eve.user.email]);
  });

  it('holds how the person logs in, the apps they connected and how they are notified, without secrets', async () => {
    const { alice, bob, workspaceId } = await createCast(world);
    await verifyAddress(world, bob);
    const key = createAuthenticator(world.context.config.appOrigin);
    const options = (await bob.raw('POST', '/v1/auth/passkeys/options')).json?.result ?? {};
    const response = key.create(options);
    expect((await bob.raw('POST', '/v1/auth/passkeys', { body: { name: 'Phone', response } })).status).toBe(
      201,
    );
    await world.context.db
      .updateTable('user')
      .set({ githubId: `number-of-${bob.user.id}` })
      .where('id', '=', bob.user.id)
      .execute();
    const space = await createBuild({ ...cast, alice, bob, workspaceId }).space({ visibility: 'workspace' });
    const config = await registerClient(world, { client_name: 'Reader' });
    const asked = { workspaceId, spaceIds: [space.id], access: 'read' as const };
    const { tokens } = await connect(config, bob, asked);
    await bob.api('notification_settings.replace', { body: { digest: 'weekly' } });

    const text = await exportedText(bob);
    const { waysIn, passkeys, connectedApps, notificationSettings }: Exported = JSON.parse(text);
    expect(waysIn).toMatchObject({
      password: true,
      passkeys: 1,
      providers: [
        {
          provider: 'github',
          connected: true,
        },
        {
          provider: 'google',
          connected: false,
        },
      ],
    });
    expect(passkeys).toEqual((await bob.api('passkey.list', {})).result);
    expect(passkeys).toMatchObject([{ name: 'Phone', created: expect.any(String) }]);
    expect(connectedApps).toEqual((await bob.api('connected_app.list', {})).result);
    expect(connectedApps).toMatchObject([
      { workspaceId, client: { name: 'Reader' }, spaceIds: [space.id], scopes: expect.any(Array) },
    ]);
    expect(notificationSettings).toMatchObject({ digest: 'weekly' });
    const { credentialId, publicKey } = await world.context.db
      .selectFrom('passkey')
      .select(['credentialId', 'publicKey'])
      .where('userId', '=', bob.user.id)
      .executeTakeFirstOrThrow();
    const secrets = [credentialId, publicKey, tokens.access_token, tokens.refresh_token ?? '', bob.token];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    const ofAlice = await exported(alice);
    expect([ofAlice.passkeys, ofAlice.connectedApps]).toEqual([[], []]);
  });

  it('holds more connected apps than one page of their list', async () => {
    const { bob, workspaceId } = await createCast(world);
    const many = PAGE_SIZE_MAX + 1;
    for (let made = 0; made < many; made += 1) await storeToken(world, { userId: bob.user.id, workspaceId });
    expect((await exported(bob)).connectedApps).toHaveLength(many);
  });

  it('leaves out workspaces that the person has left', async () => {
    const { alice, bob, workspaceId } = await createCast(world);
    await bob.api('memory.create', { body: { workspaceId, notes: 'stays with the workspace' } });
    expect((await exported(bob)).memories).toHaveLength(1);
    await alice.api('workspace_member.remove', { params: { workspaceId, id: bob.user.id } });
    expect(await exported(bob)).toMatchObject({ memberships: [], memories: [] });
  });

  it('needs a recent password', async () => {
    const own = await createWorld();
    const { alice } = await createCast(own);
    own.clock.advance(SESSION.confirmedMs + 1_000);
    const refused = await alice.raw('GET', '/v1/auth/export');
    expect([refused.status, refused.json?.error?.code]).toEqual([403, 'confirmation_required']);
    await alice.api('auth.confirm', { body: { password: TEST_PASSWORD } });
    const { status, headers } = await alice.raw('GET', '/v1/auth/export');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-disposition')).toContain('attachment');
    await own.close();
  });
});

describe('the plan of a deletion', () => {
  it('names what blocks it, what goes with it and what is left', async () => {
    const own = await createWorld();
    const { alice, bob, workspaceId } = await createCast(own);
    const alone = newId('workspace');
    await alice.api('workspace.create', { body: { id: alone, name: 'Alone', slug: 'alone' } });
    const plan = async (agent: Cast['alice']) => (await agent.api('auth.removal_plan', {})).result;
    expect(await plan(alice)).toMatchObject({
      blocking: [{ id: workspaceId }],
      deleted: [
        {
          id: alone,
          name: 'Alone',
        },
      ],
      left: [],
    });
    expect(await plan(bob)).toMatchObject({ blocking: [], deleted: [], left: [{ id: workspaceId }] });
    const refused = await alice.raw('DELETE', '/v1/auth/me');
    expect([refused.status, refused.json?.error?.code]).toEqual([409, 'conflict']);
    await alice.api('workspace_member.update', {
      params: { workspaceId, id: bob.user.id },
      body: { position: 'owner' },
    });
    expect(await plan(alice)).toMatchObject({ blocking: [], left: [{ id: workspaceId }] });
    expect((await alice.raw('DELETE', '/v1/auth/me')).status).toBe(200);
    await own.close();
  });
});
