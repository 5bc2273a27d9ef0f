/** Structured data of every kind of public page: what it must say, with whole addresses. */
import { describe, expect, it } from 'vitest';
import { createBuild, createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { openWorld } from '#tests/support/world.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

const html = async (path: string) =>
  (await fetch(world.url + path, { headers: { 'user-agent': BROWSER }, redirect: 'manual' })).text();
await ensureBuilt();
const world = await openWorld({ web: true });
const cast = await createCast(world);
const build = createBuild(cast);
const space = await build.space({ name: 'Tide pools', visibility: 'public' });
const memory = await build.memory({ title: 'Anemone', url: 'https://www.sea.example/1' });
await build.link(space.id, memory.id);
const thread = await build.thread({ name: 'Which anemone is this?', visibility: 'public' });
await cast.alice.api('message.create', {
  params: { workspaceId: cast.workspaceId, threadId: thread.id },
  body: { content: 'It is **green**, see [this](https://sea.example/green).\n\n# Loud' },
});
const spacePath = `/${cast.slug}/spaces/p/${space.slug}`;
const memoryPath = `${spacePath}/${memory.id}`;
const threadPath = `/${cast.slug}/threads/p/${thread.id}`;

const ARTICLE = [
  'headline',
  'description',
  'image',
  'url',
  'mainEntityOfPage',
  'dateModified',
  'publisher.name',
];

describe('structured data', () => {
  const kinds = (): [path: string, type: string, fields: string[]][] => [
    ['/', 'SoftwareApplication', ['name', 'description', 'url', 'image', 'offers.price']],
    ['/pricing', 'FAQPage', ['url', 'mainEntity.0.name', 'mainEntity.0.acceptedAnswer.text']],
    ['/blog/why', 'BlogPosting', [...ARTICLE, 'datePublished', 'author.0.name']],
    ['/docs/search', 'TechArticle', ARTICLE],
    [
      spacePath,
      'CollectionPage',
      ['name', 'url', 'image', 'publisher.name', 'mainEntity.itemListElement.0.url'],
    ],
    [
      memoryPath,
      'Article',
      [...ARTICLE, 'datePublished', 'author.name', 'isPartOf.name', 'isPartOf.url', 'isBasedOn'],
    ],
    [
      threadPath,
      'DiscussionForumPosting',
      ['headline', 'text', 'url', 'mainEntityOfPage', 'datePublished', 'author.name'],
    ],
    [`/p/${cast.slug}`, 'CollectionPage', ['name', 'url', 'image', 'hasPart.0.name', 'hasPart.0.url']],
  ];
  const itemOf = async (path: string): Promise<unknown> => {
    const found = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(await html(path))?.[1];
    return JSON.parse(found ?? 'null');
  };
  const at = (item: unknown, field: string): unknown =>
    field
      .split('.')
      .reduce<unknown>((value, key) => (value instanceof Object ? Reflect.get(value, key) : undefined), item);

  it('has what each kind of page must say, with whole addresses', async () => {
    for (const [path, type, fields] of kinds()) {
      const item = await itemOf(path);
      expect([path, at(item, '@context'), at(item, '@type')]).toEqual([path, 'https://schema.org', type]);
      for (const field of fields) {
        const value = at(item, field);
        expect([path, field, typeof value]).toEqual([path, field, 'string']);
        expect([path, field, value]).not.toEqual([path, field, '']);
        if (/(?:url|image|mainEntityOfPage)$/.test(field))
          expect([path, field, value]).toEqual([path, field, expect.stringMatching(/^https?:\/\/[^/]+\//)]);
      }
      expect(at(item, 'url')).toBe(`http://localhost:4000${path}`);
    }
  });

  it('gives the first message as the text of a thread, and the address of each space of a workspace', async () => {
    expect(at(await itemOf(threadPath), 'text')).toMatch(/^It is green, see this\. Loud/);
    expect(at(await itemOf(`/p/${cast.slug}`), 'hasPart.0.url')).toBe(`http://localhost:4000${spacePath}`);
  });
});
