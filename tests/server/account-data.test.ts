/** What a person can take along, and what deleting the account would do, told before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SESSION } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { TEST_PASSWORD } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createWorld, type World } from '#tests/support/world.ts';

let world: World;
let cast: Cast;
beforeAll(async () => {
  world = await createWorld();
  cast = await createCast(world);
});
afterAll(() => world.close());

interface Exported {
  profile: { id: string; email: string };
  sessions: object[];
  memberships: { id: string; position: string }[];
  memories: { id: string; title: string; notes: string }[];
}

const exported = async ({ raw }: Cast['alice']): Promise<Exported> => {
  const { text } = await raw('GET', '/v1/auth/export');
  return JSON.parse(text);
};

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

  it('is whole for a person without memories', async () => {
    const { memberships, memories, profile } = await exported(cast.eve);
    expect(memberships).toMatchObject([{ id: cast.evesWorkspaceId, position: 'owner' }]);
    expect([memories, profile.email]).toEqual([[], cast.eve.user.email]);
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
    expect(headers.get('content-type')).toMatch(/^application\/json/);
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
      ...{ blocking: [{ id: workspaceId }], deleted: [{ id: alone, name: 'Alone' }], left: [] },
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
