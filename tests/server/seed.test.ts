/** The demo of the first start: what it holds, that it signs in, and where it refuses to appear. */
import { describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config.ts';
import { DEMO, maySeedDemo, seedDemo } from '#server/seed.ts';
import { createApi, signUp } from '#tests/support/agent.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const world = await openWorld();

describe('the demo', () => {
  it('is seeded once, signs in, and shows memories, spaces and threads', async () => {
    expect(await seedDemo(world.context)).toBe(true);
    expect(await seedDemo(world.context)).toBe(false);
    const { email, password, slug } = DEMO;
    const { result } = await createApi(world)('auth.login', { body: { email, password } });
    expect(result.user).toMatchObject({ forename: 'Demo', emailVerified: true });
    const api = createApi(world, result.token);
    const workspace = await api('workspace.get_by_slug', { params: { slug } });
    const params = { workspaceId: workspace.result.id };
    const memories = await api('memory.list', { params, query: { perPage: 100 } });
    expect(memories.meta.total).toBe(25);
    expect(new Set(memories.result.map(({ origin }) => origin))).toEqual(new Set(['system']));
    expect(memories.result[0]?.title).toBe('Welcome to Loci');
    expect((await api('space.list', { params })).meta.total).toBe(4);
    // One of them is open to visitors, so that the explore page has something to show.
    const isOpen = ({ visibility }: { visibility: string }) => visibility === 'public';
    const spaces = (await api('space.list', { params })).result;
    expect(spaces.filter(isOpen).map(({ slug }) => slug)).toEqual(['reading-list']);
    expect((await api('thread.list', { params })).meta.total).toBe(2);
    const found = await api('memory.search', { body: { ...params, query: 'space:garden tomato' } });
    expect(found.result.map(({ title }) => title)).toEqual(['Tomatoes: what worked this year']);
  });

  it('does not touch a database that has users', async () => {
    const other = await createWorld();
    await signUp(other, 'somebody');
    expect(await seedDemo(other.context)).toBe(false);
    await other.close();
  });

  it('may appear only with the embedded database, on loopback, outside production', () => {
    const may = (env: Record<string, string>) => maySeedDemo({ config: parseConfig(env) });
    expect(may({})).toBe(true);
    expect(may({ HOST: '0.0.0.0' })).toBe(false);
    expect(may({ LOCI_ENV: 'production' })).toBe(false);
    expect(may({ DATABASE_URL: 'postgres://db.example/loci' })).toBe(false);
  });
});
