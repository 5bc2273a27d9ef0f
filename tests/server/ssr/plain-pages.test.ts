/** Every kind of public page as it arrives, for readers without script: its landmarks, its headings in order, and words. */
import { expect, it } from 'vitest';
import { createBuild, createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { openWorld } from '#tests/support/world.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const LEAST_WORDS = 80;
const SITE = ['/', '/explore', '/pricing', '/request-access', '/blog', '/blog/why', '/blog/how-sync-works'];
const DOCS = ['/docs', '/docs/api', '/docs/offline-and-sync', '/no/such/page'];

await ensureBuilt();
const world = await openWorld({ web: true });
const cast = await createCast(world);
const build = createBuild(cast);
const space = await build.space({
  name: 'Tide pools',
  description: 'What lives between the tides',
  visibility: 'public',
});
const memory = await build.memory({
  title: 'Anemone',
  notes: '# Seen\n\nIn the *north* pool, at low water.',
});
await build.link(space.id, memory.id);
const thread = await build.thread({ name: 'Which anemone is this?', visibility: 'public' });
await cast.alice.api('message.create', {
  params: { workspaceId: cast.workspaceId, threadId: thread.id },
  body: { content: '# Loud\n\nIt is **green**.' },
});
const at = `/${cast.slug}/spaces/p/${space.slug}`;
const shared = [
  at,
  `${at}?report=1`,
  `${at}?q=anemone`,
  `${at}/${memory.id}`,
  `${at}/${memory.id}?report=1`,
  `/${cast.slug}/threads/p/${thread.id}`,
  `/p/${cast.slug}`,
];

it('have one banner, main part and foot, one title, and no heading that skips a level', async () => {
  for (const path of [...SITE, ...DOCS, ...shared]) {
    const html = await (await fetch(world.url + path, { headers: { 'user-agent': BROWSER } })).text();
    const main = /<main[\s>][\s\S]*<\/main>/.exec(html)?.[0] ?? '';
    const around = html.replace(main, '');
    expect([path, around.match(/<header[\s>]/g)?.length]).toEqual([path, 1]);
    expect([path, around.match(/<footer[\s>]/g)?.length]).toEqual([path, 1]);
    expect([path, html.match(/<main[\s>]/g)?.length]).toEqual([path, 1]);
    const levels = [...html.matchAll(/<h([1-6])[\s>]/g)].map(([, level]) => Number(level));
    expect([path, levels.filter((level) => level === 1)]).toEqual([path, [1]]);
    const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1);
    expect([path, jumps]).toEqual([path, []]);
    expect([path, main.replaceAll(/<[^>]*>/g, '').trim().length > LEAST_WORDS]).toEqual([path, true]);
  }
});
