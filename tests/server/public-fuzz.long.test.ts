/**
 * Random people share, close, move, archive and delete at random; after every few steps a visitor asks for everything by
 * every public door. What comes back must be exactly what a small model of visibility allows, and no word of the rest.
 * SEEDS and STEPS make it longer.
 */
import { expect, test } from 'vitest';
import { ApiProblem } from '#client/api/api-problem.ts';
import { newId, type Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { VISIBILITIES, type Visibility } from '#shared/spaces/visibility.ts';
import { type Agent, createRaw } from '#tests/support/agent.ts';
import { type Cast, createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { Model, type SpaceModel, type ThreadModel, type Thing } from '#tests/support/public-model.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';
import { openWorld } from '#tests/support/world.ts';
import { Random } from '../sync/random.ts';

const SEEDS = Number(process.env['SEEDS'] ?? (IS_WHOLE ? 4 : 2));
const STEPS = Number(process.env['STEPS'] ?? 90);
const CHECK_EVERY = 30;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

let visitors = 0;

let cast: Cast;
await ensureBuilt();
const world = await openWorld({ web: true, env: { TRUST_PROXY: 'loopback' } });
cast = await createCast(world);
const raw = createRaw(world);

/** Does one random thing; what is refused changes nothing. */
async function step(model: Model, random: Random): Promise<void> {
  const inEves = random.chance(0.2);
  const workspaceId = inEves ? cast.evesWorkspaceId : cast.workspaceId;
  const by: Agent = inEves ? cast.eve : random.pick([cast.alice, cast.alice, cast.bob, cast.rita, cast.eve]);
  const here = <K, T extends Thing>(things: Map<K, T>) =>
    random.maybe([...things].filter(([, { workspaceId: place }]) => place === workspaceId));
  const actions: (() => Promise<void>)[] = [
    () =>
      addSpace(model, {
        by,
        workspaceId,
        visibility: random.pick(VISIBILITIES),
        publishText: random.chance(0.5),
      }),
    () => addThread(model, { by, workspaceId, visibility: random.pick(VISIBILITIES) }),
    () => addMemory(model, { by, workspaceId, home: here(model.spaces)?.[0], isHome: random.chance(0.3) }),
    () => linkMemory(model, { by, workspaceId, pair: [here(model.spaces)?.[0], here(model.memories)?.[0]] }),
    () => linkMemory(model, { by, workspaceId, pair: [here(model.spaces)?.[0], here(model.memories)?.[0]] }),
    () => unlinkMemory(model, { by, workspaceId, link: random.maybe([...model.links]) }),
    () =>
      changeSpace(model, {
        by,
        workspaceId,
        id: here(model.spaces)?.[0],
        visibility: random.pick(VISIBILITIES),
      }),
    () =>
      changeThread(model, {
        by,
        workspaceId,
        id: here(model.threads)?.[0],
        visibility: random.pick(VISIBILITIES),
      }),
    () => say(model, { by, workspaceId, id: here(model.threads)?.[0] }),
    () => archive(model, { by, workspaceId, id: here(model.memories)?.[0], archived: random.chance(0.6) }),
    () => (random.chance(0.3) ? remove(model, { by, workspaceId, random }) : Promise.resolve()),
  ];
  try {
    await random.pick(actions)();
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status >= 500) throw error;
  }
}

interface Act {
  by: Agent;
  workspaceId: Id<'workspace'>;
}

async function addSpace(
  model: Model,
  { by, workspaceId, visibility, publishText }: Act & Pick<SpaceModel, 'visibility' | 'publishText'>,
) {
  const [id, word] = [newId('space'), model.word()];
  const body = {
    id,
    workspaceId,
    name: `Space ${word}`,
    slug: word,
    description: `About ${word}`,
    visibility,
    publishText,
  };
  await by.api('space.create', { body });
  model.spaces.set(id, { word, workspaceId, slug: word, visibility, publishText, deleted: false });
}

async function addThread(model: Model, { by, workspaceId, visibility }: Act & { visibility: Visibility }) {
  const [id, word] = [newId('thread'), model.word()];
  await by.api('thread.create', { body: { id, workspaceId, name: `Thread ${word}`, visibility } });
  model.threads.set(id, { word, workspaceId, visibility, deleted: false, messages: [] });
}

async function addMemory(
  model: Model,
  { by, workspaceId, home, isHome }: Act & { home: Id<'space'> | undefined; isHome: boolean },
) {
  const [id, word] = [newId('memory'), model.word()];
  await by.api('memory.create', {
    body: {
      id,
      workspaceId,
      title: `Memory ${word}`,
      description: word,
      tags: [word],
      notes: `secret${word}`,
      ...(isHome && home ? { spaceId: home } : {}),
    },
  });
  model.memories.set(id, { word, workspaceId, archived: false, deleted: false });
  if (isHome && home) model.links.add(`${home} ${id}`);
}

async function linkMemory(
  model: Model,
  {
    by,
    workspaceId,
    pair: [spaceId, memoryId],
  }: Act & { pair: [Id<'space'> | undefined, Id<'memory'> | undefined] },
) {
  if (!spaceId || !memoryId) return;
  await by.api('space_memory.create', { body: { workspaceId, spaceId, memoryId } });
  model.links.add(`${spaceId} ${memoryId}`);
}

async function unlinkMemory(model: Model, { by, workspaceId, link }: Act & { link: string | undefined }) {
  const [spaceId, id] = [...model.spaces.keys()].flatMap((space) =>
    [...model.memories.keys()].flatMap((memory) => (link === `${space} ${memory}` ? [space, memory] : [])),
  ) as [Id<'space'>, Id<'memory'>] | [];
  if (!spaceId || !id) return;
  await by.api('space_memory.remove', { params: { workspaceId, spaceId, id } });
  model.links.delete(`${spaceId} ${id}`);
}

async function changeSpace(
  model: Model,
  { by, workspaceId, id, visibility }: Act & { id: Id<'space'> | undefined; visibility: Visibility },
) {
  const space = id && model.spaces.get(id);
  if (!id || !space) return;
  await by.api('space.update', { params: { workspaceId, id }, body: { visibility } });
  space.visibility = visibility;
}

async function changeThread(
  model: Model,
  { by, workspaceId, id, visibility }: Act & { id: Id<'thread'> | undefined; visibility: Visibility },
) {
  const thread = id && model.threads.get(id);
  if (!id || !thread) return;
  await by.api('thread.update', { params: { workspaceId, id }, body: { visibility } });
  thread.visibility = visibility;
}

async function say(model: Model, { by, workspaceId, id }: Act & { id: Id<'thread'> | undefined }) {
  const thread = id && model.threads.get(id);
  if (!id || !thread) return;
  const word = model.word();
  await by.api('message.create', {
    params: { workspaceId, threadId: id },
    body: { content: `Says ${word}` },
  });
  thread.messages.push(word);
}

async function archive(
  model: Model,
  { by, workspaceId, id, archived }: Act & { id: Id<'memory'> | undefined; archived: boolean },
) {
  const memory = id && model.memories.get(id);
  if (!id || !memory) return;
  await by.api('memory.update', { params: { workspaceId, id }, body: { archived } });
  memory.archived = archived;
}

async function remove(model: Model, { by, workspaceId, random }: Act & { random: Random }) {
  const memory = random.maybe([...model.memories].filter(([, each]) => each.workspaceId === workspaceId));
  const space = random.maybe([...model.spaces].filter(([, each]) => each.workspaceId === workspaceId));
  const thread = random.maybe([...model.threads].filter(([, each]) => each.workspaceId === workspaceId));
  const kind = random.pick(['memory', 'space', 'thread'] as const);
  if (kind === 'memory' && memory) {
    await by.api('memory.remove', { params: { workspaceId, id: memory[0] } });
    memory[1].deleted = true;
  }
  if (kind === 'space' && space) {
    await by.api('space.remove', { params: { workspaceId, id: space[0] } });
    space[1].deleted = true;
  }
  if (kind === 'thread' && thread) {
    await by.api('thread.remove', { params: { workspaceId, id: thread[0] } });
    thread[1].deleted = true;
  }
}

interface Listed {
  id: string;
}

/** Everything a visitor can ask for, against the model; collects every text that came back. */
async function check(model: Model): Promise<void> {
  const texts: string[] = [];
  const ask = async (path: string, body?: object): Promise<{ status: number; ids: string[] }> => {
    visitors += 1;
    // Each question comes from another address: limits are not what is looked at here.
    const forwarded = `10.${Math.floor(visitors / 60_000)}.${Math.floor(visitors / 250) % 250}.${visitors % 250}`;
    const headers = { 'x-forwarded-for': forwarded, 'user-agent': BROWSER };
    const answer = await raw(body ? 'POST' : 'GET', path, { headers, ...(body && { body }) });
    // A page that is not there repeats its address, which was our question and nothing of the answer.
    texts.push(answer.status === 200 ? answer.text : '');
    const result = answer.json?.result;
    const ids = Array.isArray(result) ? result.map(({ id }: Listed) => id).sort() : [];
    return { status: answer.status, ids };
  };
  const eves = await cast.eve.api('workspace.get', { params: { workspaceId: cast.evesWorkspaceId } });
  const places = [
    { workspaceId: cast.workspaceId, slug: cast.slug },
    { workspaceId: cast.evesWorkspaceId, slug: eves.result.slug },
  ];
  for (const { workspaceId, slug } of places) {
    const spaces = [...model.spaces].filter(([, space]) => space.workspaceId === workspaceId);
    const threads = [...model.threads].filter(([, thread]) => thread.workspaceId === workspaceId);
    const listed = <T extends SpaceModel | ThreadModel>(things: [string, T][]) =>
      things.flatMap(([id, thing]) => (model.isListed(thing) ? [id] : [])).sort();
    const all = '?perPage=100';
    expect(await ask(`/v1/public/spaces/${workspaceId}${all}`)).toEqual({ status: 200, ids: listed(spaces) });
    expect(await ask(`/v1/public/threads/${workspaceId}${all}`)).toEqual({
      status: 200,
      ids: listed(threads),
    });
    const hasAny = listed(spaces).length + listed(threads).length > 0 ? 200 : 404;
    for (const path of [
      `/v1/public/workspaces/${workspaceId}`,
      `/v1/public/workspaces/slug/${slug}`,
      `/p/${slug}`,
    ])
      expect([path, (await ask(path)).status]).toEqual([path, hasAny]);
    for (const [id, space] of spaces) {
      const status = model.isReached(space) ? 200 : 404;
      const inside = model.isReached(space) ? model.memoriesOf(id).sort() : [];
      const page = pathTo('public_space', { workspace_slug: slug, space_slug: space.slug });
      for (const path of [
        `/v1/public/spaces/${workspaceId}/${id}`,
        `/v1/public/spaces/slug/${slug}/${space.slug}`,
        page,
        `${page}.md`,
      ])
        expect([path, space.visibility, (await ask(path)).status]).toEqual([path, space.visibility, status]);
      const feed = await ask(`${page}/feed.json`);
      expect([page, feed.status]).toEqual([page, model.isListed(space) ? 200 : 404]);
      expect(await ask(`/v1/public/memories/${workspaceId}/${id}${all}`)).toEqual({ status, ids: inside });
      for (const [memoryId] of model.memories) {
        const one = await ask(`/v1/public/memories/${workspaceId}/${id}/${memoryId}`);
        expect([id, memoryId, one.status]).toEqual([id, memoryId, inside.includes(memoryId) ? 200 : 404]);
        const hasPage = space.publishText && inside.includes(memoryId) ? 200 : 404;
        for (const own of [`${page}/${memoryId}`, `${page}/${memoryId}.md`])
          expect([own, (await ask(own)).status]).toEqual([own, hasPage]);
      }
      const found = await ask('/v1/public/memories/search', { query: 'memory', spaceId: id, perPage: 100 });
      expect(found.ids).toEqual(inside);
      const named = await ask('/v1/public/spaces/search', { query: space.word });
      expect(named.ids).toEqual(model.isListed(space) ? [id] : []);
    }
    for (const [id, thread] of threads) {
      const status = model.isReached(thread) ? 200 : 404;
      const page = pathTo('public_thread', { workspace_slug: slug, thread_id: id });
      for (const path of [
        `/v1/public/threads/${workspaceId}/${id}`,
        `/v1/public/threads/slug/${slug}/${id}`,
        page,
        `/v1/public/messages/${workspaceId}/${id}${all}`,
      ])
        expect([path, (await ask(path)).status]).toEqual([path, status]);
    }
  }
  for (const [id, { word }] of model.memories) {
    const isListed = [...model.spaces].some(
      ([space, each]) => model.isListed(each) && model.memoriesOf(space).includes(id),
    );
    expect((await ask('/v1/public/memories/search', { query: word })).ids).toEqual(isListed ? [id] : []);
    const found = await ask('/v1/public/memories/search', { query: `secret${word}` });
    expect(found.ids).toEqual(model.isTextShown(id, 'listed') ? [id] : []);
  }
  for (const path of [
    '/v1/public/spaces/trending',
    '/v1/public/spaces/newest',
    '/explore',
    '/sitemap.xml',
    '/llms.txt',
  ])
    expect([path, (await ask(path)).status]).toEqual([path, 200]);
  expectOnlyOpenWords(model, texts);
}

/** No word of anything closed, no note that is not published, no person, in any answer. */
function expectOnlyOpenWords(model: Model, texts: readonly string[]): void {
  const open = model.openWords();
  const all = model.words();
  const said = new Set(texts.flatMap((text) => text.match(/shown\d+x/g) ?? []));
  expect([...said].filter((word) => all.has(word) && !open.has(word))).toEqual([]);
  const notes = [...model.memories].map(([id, { word }]) => ({ id, note: `secret${word}` }));
  const shownNotes = new Set(texts.flatMap((text) => text.match(/secretshown\d+x/g) ?? []));
  const published = notes.filter(({ id }) => model.isTextShown(id, 'reached')).map(({ note }) => note);
  const own = notes.filter(({ note }) => shownNotes.has(note)).map(({ note }) => note);
  expect(own.toSorted()).toEqual(published.toSorted());
  for (const text of texts) {
    expect(text).not.toMatch(/\busr_[a-z0-9]/);
    expect(text).not.toMatch(/alice-\d|bob-\d|rita-\d|eve-\d|example\.org/);
  }
  // The look was not idle: whatever is open was read somewhere.
  expect([...open].filter((word) => !said.has(word))).toEqual([]);
}

test.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'what visitors get is what is open, and all of it (seed %i)',
  async (seed) => {
    const random = new Random(seed);
    cast = await createCast(world);
    const model = new Model();
    for (let n = 1; n <= STEPS; n += 1) {
      await step(model, random);
      if (n % CHECK_EVERY === 0 || n === STEPS) await check(model);
    }
  },
);
