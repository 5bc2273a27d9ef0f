/**
 * Every kind of person against every visibility, for every read and write: over REST, as mutations and pulls of replicas,
 * and on public pages. What is expected is computed from the tables of sharing-stage.ts, not from the product.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { VISIBILITIES, type Visibility } from '#shared/spaces/visibility.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';
import {
  agent,
  at,
  createPlaces,
  GUESTS,
  isOk,
  manages,
  MEMBERS,
  ON_THE_WEB,
  openStage,
  PEOPLE,
  pulledBy,
  pushes,
  rawOf,
  READS,
  slugHere,
  WRITES,
  ws,
  type Places,
  type Who,
} from './sharing-stage.ts';

let close: () => Promise<void>;
beforeAll(async () => {
  close = await openStage();
});
afterAll(() => close());

interface Check {
  name: string;
  allowed: (visibility: Visibility) => readonly Who[];
  /** Who tries; all people of the table unless said otherwise. */
  people?: readonly Who[];
  run: (who: Who, places: Places) => Promise<boolean>;
}

const get =
  (path: (places: Places) => string) =>
  async (who: Who, places: Places): Promise<boolean> =>
    isOk((await rawOf(who)('GET', path(places))).status);

/** A list or search that answers all members and guests, and shows the place or what is in it only to its readers. */
const lists =
  (method: 'GET' | 'POST', path: (places: Places) => string, body?: (places: Places) => object) =>
  async (who: Who, places: Places): Promise<boolean> => {
    const answer = await rawOf(who)(method, path(places), body && { body: body(places) });
    const ids = [places.space.id, places.thread.id, places.inside.id];
    const isFound = ids.some((id) => answer.text.includes(id));
    if (isFound) expect(answer.status).toBe(200);
    return isFound;
  };

const reads = (visibility: Visibility) => READS[visibility];
const writes = (visibility: Visibility) => WRITES[visibility];

const CHECKS: readonly Check[] = [
  { name: 'GET space', allowed: reads, run: get(({ space }) => `/v1/spaces/${ws()}/${space.id}`) },
  {
    name: 'GET space by slug',
    allowed: reads,
    run: get(({ space }) => `/v1/spaces/slug/${slugHere()}/${space.slug}`),
  },
  { name: 'GET spaces', allowed: reads, run: lists('GET', () => `/v1/spaces/${ws()}?perPage=100`) },
  {
    name: 'POST spaces/search',
    allowed: reads,
    run: lists(
      'POST',
      () => '/v1/spaces/search',
      ({ named }) => ({ workspaceId: ws(), query: named }),
    ),
  },
  {
    name: 'GET space_memories',
    allowed: reads,
    run: lists('GET', () => `/v1/space_memories/${ws()}?perPage=100`),
  },
  { name: 'GET memory', allowed: reads, run: get(({ inside }) => `/v1/memories/${ws()}/${inside.id}`) },
  {
    name: 'GET memory body',
    allowed: reads,
    run: get(({ inside }) => `/v1/memories/${ws()}/${inside.id}/body`),
  },
  {
    name: 'GET memories',
    allowed: reads,
    run: lists('GET', ({ space }) => `/v1/memories/${ws()}?perPage=100&spaceId=${space.id}`),
  },
  {
    name: 'GET memories/random',
    allowed: reads,
    run: lists('GET', ({ space }) => `/v1/memories/random/${ws()}?limit=100&spaceId=${space.id}`),
  },
  {
    name: 'POST memories/search',
    allowed: reads,
    run: lists(
      'POST',
      () => '/v1/memories/search',
      ({ named }) => ({
        workspaceId: ws(),
        query: `"${named}"`,
      }),
    ),
  },
  {
    name: 'GET tags',
    allowed: reads,
    run: async (who, { space }) => {
      const tag = `tag-${space.name.slice(5)}`;
      const { text } = await rawOf(who)('GET', `/v1/tags/${ws()}?perPage=100`);
      return text.replaceAll('_', '').includes(`"${tag}"`);
    },
  },
  { name: 'GET thread', allowed: reads, run: get(({ thread }) => `/v1/threads/${ws()}/${thread.id}`) },
  { name: 'GET threads', allowed: reads, run: lists('GET', () => `/v1/threads/${ws()}?perPage=100`) },
  {
    name: 'POST threads/search',
    allowed: reads,
    run: lists(
      'POST',
      () => '/v1/threads/search',
      ({ named }) => ({ workspaceId: ws(), query: named }),
    ),
  },
  { name: 'GET messages', allowed: reads, run: get(({ thread }) => `/v1/messages/${ws()}/${thread.id}`) },
  {
    name: 'GET message',
    allowed: reads,
    run: get(({ thread, message }) => `/v1/messages/${ws()}/${thread.id}/${message.id}`),
  },
  {
    name: 'POST messages/export',
    allowed: reads,
    run: async (who, { thread }) => {
      const body = { workspaceId: ws(), threadId: thread.id, destination: 'download' };
      return isOk((await rawOf(who)('POST', '/v1/messages/export', { body })).status);
    },
  },
  {
    name: 'pull space and memory',
    allowed: reads,
    run: async (who, { space, inside }) => {
      const { ids } = await pulledBy(who);
      expect(ids.includes(`"4/m/`) && ids.includes(inside.id)).toBe(ids.includes(`2/s/${space.id}`));
      return ids.includes(`2/s/${space.id}`);
    },
  },
  {
    name: 'push thread.open, pull messages',
    allowed: reads,
    run: async (who, { thread, message }) => {
      const isOpened = await pushes(who, 'thread.open', { id: thread.id, at: at() });
      const { ids } = who === 'visitor' ? { ids: '' } : await pulledBy(who);
      // Opening keeps no record of a refusal; what counts is what arrives.
      const arrives = ids.includes(message.id);
      if (arrives) expect(isOpened).toBe(true);
      return arrives;
    },
  },
  {
    name: 'POST memory into space',
    allowed: writes,
    run: async (who, { space }) => {
      const body = { workspaceId: ws(), title: `By ${who}`, spaceId: space.id };
      return isOk((await rawOf(who)('POST', '/v1/memories', { body })).status);
    },
  },
  {
    name: 'push memory.create',
    allowed: writes,
    run: (who, { space }) =>
      pushes(who, 'memory.create', {
        id: newId('memory'),
        at: at(),
        origin: 'manual_entry',
        title: `Pushed by ${who}`,
        spaceId: space.id,
      }),
  },
  {
    name: 'PATCH memory',
    allowed: writes,
    run: async (who, { inside, named }) => {
      const body = { title: `${named} again` };
      return isOk((await rawOf(who)('PATCH', `/v1/memories/${ws()}/${inside.id}`, { body })).status);
    },
  },
  {
    name: 'push memory.set_notes',
    allowed: writes,
    run: (who, { inside }) =>
      pushes(who, 'memory.set_notes', { id: inside.id, at: at(), notes: `by ${who}`, baseHash: null }),
  },
  {
    name: 'push memory.edit_quote',
    allowed: writes,
    run: (who, { inside }) => {
      const quote = `> Marked by ${who}`;
      const edit = { notes: quote, baseHash: null, from: null, to: quote };
      return pushes(who, 'memory.edit_quote', { id: inside.id, at: at(), ...edit });
    },
  },
  {
    name: 'DELETE memory of another',
    allowed: manages,
    run: async (who, { memory }) => {
      const { id } = await memory(`Doomed by ${who}`);
      return isOk((await rawOf(who)('DELETE', `/v1/memories/${ws()}/${id}`)).status);
    },
  },
  {
    name: 'push memory.move out',
    allowed: manages,
    run: async (who, { memory }) => {
      const { id } = await memory(`Moved by ${who}`);
      return pushes(who, 'memory.move', { id, at: at(), spaceId: null });
    },
  },
  {
    name: 'POST space_memory',
    // Guests read nothing that they could file but what is there already.
    allowed: (visibility) => writes(visibility).filter((who) => who !== 'writeGuest'),
    run: async (who, { space }) => {
      const { result } = await agent('creator').api('memory.create', {
        body: { workspaceId: ws(), title: `Common for ${who}` },
      });
      const body = { workspaceId: ws(), spaceId: space.id, memoryId: result.id };
      return isOk((await rawOf(who)('POST', '/v1/space_memories', { body })).status);
    },
  },
  {
    name: 'push space_memory.remove',
    allowed: writes,
    run: async (who, { space, memory }) => {
      const { id } = await memory(`Taken out by ${who}`);
      return pushes(who, 'space_memory.remove', { spaceId: space.id, memoryId: id, at: at() });
    },
  },
  {
    name: 'PATCH space',
    allowed: manages,
    run: async (who, { space }) => {
      const body = { description: `by ${who}` };
      return isOk((await rawOf(who)('PATCH', `/v1/spaces/${ws()}/${space.id}`, { body })).status);
    },
  },
  {
    name: 'push grant.put',
    allowed: manages,
    run: async (who, { space }) => {
      const grant = { resourceId: space.id, holder: 'admin' };
      const isPut = await pushes(who, 'grant.put', { ...grant, level: 'read', at: at() });
      await pushes('creator', 'grant.remove', { ...grant, at: at() });
      return isPut;
    },
  },
  {
    name: 'POST message',
    allowed: writes,
    run: async (who, { thread }) => {
      const body = { content: `from ${who}` };
      return isOk((await rawOf(who)('POST', `/v1/messages/${ws()}/${thread.id}`, { body })).status);
    },
  },
  {
    name: 'push message.create',
    allowed: writes,
    run: (who, { thread }) =>
      pushes(who, 'message.create', {
        id: newId('message'),
        threadId: thread.id,
        content: `pushed by ${who}`,
        at: at(),
      }),
  },
  {
    name: 'push thread.branch',
    // Those who read it and may begin a thread.
    allowed: (visibility) => reads(visibility).filter((who) => MEMBERS.includes(who) && who !== 'readOnly'),
    run: async (who, { thread, message }) => {
      const id = newId('thread');
      const branch = { id, threadId: thread.id, messageId: message.id, at: at() };
      const isMade = await pushes(who, 'thread.branch', branch);
      const { text } = await rawOf(who)('GET', `/v1/messages/${ws()}/${id}`);
      expect(text.includes(`"threadId":"${id}"`)).toBe(isMade);
      return isMade;
    },
  },
  {
    name: 'PATCH thread',
    allowed: manages,
    run: async (who, { thread, named }) => {
      const body = { name: named };
      return isOk((await rawOf(who)('PATCH', `/v1/threads/${ws()}/${thread.id}`, { body })).status);
    },
  },
  ...(
    [
      ['public space', ({ space }) => `/v1/public/spaces/${ws()}/${space.id}`],
      ['public memories', ({ space }) => `/v1/public/memories/${ws()}/${space.id}`],
      ['public thread', ({ thread }) => `/v1/public/threads/${ws()}/${thread.id}`],
      ['public messages', ({ thread }) => `/v1/public/messages/${ws()}/${thread.id}`],
    ] as const satisfies readonly (readonly [string, (places: Places) => string])[]
  ).map(([name, path]): Check => ({
    name: `GET ${name}`,
    allowed: (visibility) => (ON_THE_WEB.has(visibility) ? PEOPLE : []),
    // The answer knows no account, and one address may ask sixty times a minute.
    people: ['visitor'],
    run: get(path),
  })),
  {
    name: 'DELETE space and thread',
    allowed: (visibility) => manages(visibility).slice(0, 1),
    run: async (who, { space, thread }) => {
      // The creator comes first and deletes for good, so that all others find nothing.
      const first = await rawOf(who)('DELETE', `/v1/spaces/${ws()}/${space.id}`);
      const second = await rawOf(who)('DELETE', `/v1/threads/${ws()}/${thread.id}`);
      expect(isOk(first.status)).toBe(isOk(second.status));
      return isOk(first.status);
    },
  },
];

/** In the gate one that is closed to almost everybody and the one with the most kinds of readers; the whole run has all. */
const TRIED = VISIBILITIES.filter((visibility) => IS_WHOLE || ['private', 'custom'].includes(visibility));

describe.each(TRIED)('%s', (visibility) => {
  it('opens to each kind of person what the table says', async () => {
    const places = await createPlaces(visibility);
    const wrong: string[] = [];
    for (const { name, allowed, run, people = PEOPLE } of CHECKS) {
      for (const who of people) {
        const isAllowed = allowed(visibility).includes(who);
        if ((await run(who, places)) !== isAllowed)
          wrong.push(`${name}: ${who} ${isAllowed ? 'may' : 'may not'}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('the printed matrix', () => {
  it('is what was agreed on', async () => {
    const head = ['visibility', 'what', ...PEOPLE];
    const rows = VISIBILITIES.flatMap((visibility) =>
      CHECKS.map(({ name, allowed, people = PEOPLE }) => [
        visibility,
        name,
        ...PEOPLE.map((who) => {
          if (!people.includes(who)) return '';
          return allowed(visibility).includes(who) ? 'yes' : '–';
        }),
      ]),
    );
    const widths = head.map((title, index) =>
      Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)),
    );
    const line = (cells: readonly string[]) =>
      `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
    const text = [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''].join(
      '\n',
    );
    await expect(text).toMatchFileSnapshot('./sharing-matrix.snapshot.md');
  });

  it('gives guests no member, no workspace and no address', async () => {
    for (const who of GUESTS) {
      const { ids, keys } = await pulledBy(who);
      expect(keys.filter((key) => key.startsWith('1/mb/') || key.startsWith('1/ws/'))).toEqual([]);
      const addresses = PEOPLE.filter((other) => other !== 'visitor' && other !== who);
      for (const other of addresses) expect(ids).not.toContain(agent(other).user.email.toLowerCase());
      for (const path of [
        `/v1/workspaces/${ws()}`,
        `/v1/workspace_members/${ws()}`,
        `/v1/workspaces/usage/${ws()}`,
        `/v1/invites/${ws()}`,
        `/v1/api_keys/${ws()}`,
      ])
        expect([path, (await agent(who).raw('GET', path)).status]).toEqual([path, 403]);
    }
  });
});
