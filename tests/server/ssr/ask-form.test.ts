/** Forms of visitors without script: the question box of a public space, and the request for early access. */
import { describe, expect, test } from 'vitest';
import { createBuild, createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { openWorld } from '#tests/support/world.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

let visitors = 0;
await ensureBuilt();
const world = await openWorld({ web: true, env: { TRUST_PROXY: 'loopback' } });
const cast = await createCast(world);

const allow = (publicChat: boolean) =>
  cast.alice.api('workspace.update', { params: { workspaceId: cast.workspaceId }, body: { publicChat } });

async function shared() {
  const build = createBuild(cast);
  const space = await build.space({ name: 'Shore life', visibility: 'public' });
  const memory = await build.memory({ title: 'Mussels', notes: 'Mussels close their shells at low tide.' });
  await build.link(space.id, memory.id);
  return { space };
}

/** Each visitor has an address of its own. */
function newVisitor(): Record<string, string> {
  visitors += 1;
  return { 'x-forwarded-for': `10.2.0.${visitors}`, 'user-agent': BROWSER };
}

const page = (path: string) =>
  fetch(world.url + path, { headers: { 'user-agent': BROWSER }, redirect: 'manual' });

describe('the form without script', () => {
  const post = (path: string, content: string, headers: Record<string, string> = newVisitor()) =>
    fetch(`${world.url}${path}/ask`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ content }).toString(),
    });

  test('leads to the page of the answer', async () => {
    const { space } = await shared();
    const path = `/${cast.slug}/spaces/p/${space.slug}`;
    expect(await (await page(path)).text()).toContain(`action="${path}/ask"`);
    const answer = await post(path, 'When do mussels close?');
    const to = answer.headers.get('location') ?? '';
    expect([answer.status, to]).toEqual([
      303,
      expect.stringMatching(new RegExp(`^/${cast.slug}/threads/p/thrd_`)),
    ]);
    expect(await (await page(to)).text()).toContain('low tide');
  });

  test('says on the page why a question was refused', async () => {
    const { space } = await shared();
    const path = `/${cast.slug}/spaces/p/${space.slug}`;
    const ended = async (content: string, headers?: Record<string, string>) =>
      (await post(path, content, headers)).headers.get('location');
    expect(await ended('')).toBe(`${path}?asked=invalid#ask`);
    expect(await (await page(`${path}?asked=invalid`)).text()).toContain('Write a question of at most');
    expect(await ended('Mussels?', { ...newVisitor(), 'sec-fetch-site': 'cross-site' })).toBe(
      `${path}?asked=later#ask`,
    );
    const headers = newVisitor();
    for (let n = 0; n < 5; n += 1) await ended('Mussels?', headers);
    expect(await ended('Mussels?', headers)).toBe(`${path}?asked=later#ask`);
    await allow(false);
    expect(await ended('Mussels?')).toBe(`${path}?asked=off#ask`);
    const nowhere = `/${cast.slug}/spaces/p/no-such`;
    expect((await post(nowhere, 'Mussels?')).headers.get('location')).toBe(nowhere);
  });
});

test('the form for early access takes as many from one address as the API', async () => {
  const register = async (headers: Record<string, string>) => {
    const { status, headers: answered } = await fetch(`${world.url}/request-access`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ email: 'ada@example.net' }),
    });
    expect(status).toBe(303);
    return answered.get('location');
  };
  const headers = newVisitor();
  for (let n = 0; n < 5; n += 1) expect(await register(headers)).toBe('/request-access?registered=ok');
  expect(await register(headers)).toBe('/request-access?registered=error');
  expect(await register(newVisitor())).toBe('/request-access?registered=ok');
});
