/**
 * The stage of the sharing matrix: one person of each kind, places of each visibility, what is expected of whom, and the
 * doors through which it is tried. The expectations are sets of people, computed from no rule of the product.
 */
import { expect } from 'vitest';
import { newId, type Id } from '#shared/ids.ts';
import { SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import { createRaw, signUpAs, verifyAddress, type Agent, type RawRequest } from '#tests/support/agent.ts';
import { join } from '#tests/support/build.ts';
import { createWorld, type World } from '#tests/support/world.ts';

export const PEOPLE = [
  ...(['creator', 'owner', 'admin', 'member', 'named', 'readOnly'] as const),
  ...(['readGuest', 'writeGuest', 'domain', 'stranger', 'visitor'] as const),
] as const;
export type Who = (typeof PEOPLE)[number];

/**
 * The creator is a member, too. `named` is a member with a grant to write, the position read-only has a grant to read, and
 * the guests have theirs by address.
 */
export const MEMBERS: readonly Who[] = ['creator', 'owner', 'admin', 'member', 'named', 'readOnly'];
export const GUESTS: readonly Who[] = ['readGuest', 'writeGuest'];

/** Who reads a space or a thread when signed in. */
export const READS: Readonly<Record<Visibility, readonly Who[]>> = {
  private: ['creator'],
  private_and_guests: ['creator', 'named', ...GUESTS],
  custom: ['creator', 'named', 'readOnly', ...GUESTS],
  workspace: MEMBERS,
  workspace_and_guests: [...MEMBERS, ...GUESTS],
  internal: [...MEMBERS, 'domain'],
  unlisted: MEMBERS,
  public: MEMBERS,
};

/** Who adds to it: memories to a space, messages to a thread. */
export const WRITES: Readonly<Record<Visibility, readonly Who[]>> = {
  private: ['creator'],
  private_and_guests: ['creator', 'named', 'writeGuest'],
  custom: ['creator', 'named', 'writeGuest'],
  workspace: ['creator', 'owner', 'admin', 'member', 'named'],
  workspace_and_guests: ['creator', 'owner', 'admin', 'member', 'named', 'writeGuest'],
  internal: ['creator', 'owner', 'admin', 'member', 'named'],
  unlisted: ['creator', 'owner', 'admin', 'member', 'named'],
  public: ['creator', 'owner', 'admin', 'member', 'named'],
};

/** Who changes and deletes it, and what others put there. */
const MANAGES: readonly Who[] = ['creator', 'owner', 'admin'];
export const manages = (visibility: Visibility): readonly Who[] =>
  MANAGES.filter((who) => READS[visibility].includes(who));

/** All people of the table, without an account and with one. */
export const ON_THE_WEB: ReadonlySet<Visibility> = new Set(['unlisted', 'public']);

let world: World;
let workspaceId: Id<'workspace'>;
let slug: string;
const agents = new Map<Who, Agent>();
let visitor: RawRequest;

export const agent = (who: Who): Agent => {
  const found = agents.get(who);
  if (found === undefined) throw new Error(`${who} has no account`);
  return found;
};
export const rawOf = (who: Who): RawRequest => (who === 'visitor' ? visitor : agent(who).raw);

/** Signs all people up and founds the workspace; call the result to close it. */
export async function openStage(): Promise<() => Promise<void>> {
  world = await createWorld();
  visitor = createRaw(world);
  for (const who of PEOPLE) {
    if (who === 'visitor') continue;
    const host = who === 'owner' || who === 'domain' ? 'harbour.example' : `${who.toLowerCase()}.example`;
    const person = await signUpAs(world, `${who}@${host}`);
    await verifyAddress(world, person);
    agents.set(who, person);
  }
  const { result } = await agent('owner').api('workspace.create', { body: { name: 'Harbour' } });
  workspaceId = result.id;
  slug = result.slug;
  expect(result.domain).toBe('harbour.example');
  await join(world, workspaceId, agent('creator'), 'member');
  await join(world, workspaceId, agent('admin'), 'admin');
  await join(world, workspaceId, agent('member'), 'member');
  await join(world, workspaceId, agent('named'), 'member');
  await join(world, workspaceId, agent('readOnly'), 'read-only');
  return () => world.close();
}

/** A space and a thread of one visibility with something in them, and the same grants as all others. */
export async function createPlaces(visibility: Visibility) {
  const { api } = agent('creator');
  const grants = [
    { userId: agent('named').user.id, level: 'write' as const },
    { position: 'read-only' as const, level: 'read' as const },
    { email: agent('readGuest').user.email, level: 'read' as const },
    { email: agent('writeGuest').user.email, level: 'write' as const },
  ];
  const named = `Quay ${visibility.replaceAll('_', '')}`;
  const space = (await api('space.create', { body: { workspaceId, name: named, visibility: 'private' } }))
    .result;
  const thread = (await api('thread.create', { body: { workspaceId, name: named, visibility: 'private' } }))
    .result;
  const memory = async (title: string) =>
    (
      await api('memory.create', {
        body: { workspaceId, title, notes: `${title} text`, tags: [`tag-${visibility}`], spaceId: space.id },
      })
    ).result;
  const inside = await memory(named);
  const said = await api('message.create', {
    params: { workspaceId, threadId: thread.id },
    body: { content: named },
  });
  const shared = await api('space.update', {
    params: { workspaceId, id: space.id },
    body: { visibility, grants },
  });
  await api('thread.update', { params: { workspaceId, id: thread.id }, body: { visibility, grants } });
  expect(shared.result.grants).toHaveLength(grants.length);
  return { named, space, thread, inside, message: said.result.message, memory };
}
export type Places = Awaited<ReturnType<typeof createPlaces>>;

export const isOk = (status: number): boolean => status >= 200 && status < 300;

/** What is read of the answer to a pull. */
interface Pulled {
  cookie: unknown;
  patch: { op: string; key?: string; value?: { done?: boolean } }[];
}

/** Ids of all rows that a new replica of the workspace is given. */
export async function pulledBy(who: Who): Promise<{ ids: string; keys: string[] }> {
  const keys: string[] = [];
  let text = '';
  let cookie: unknown = null;
  for (let page = 0; page < 20; page += 1) {
    const body = {
      pullVersion: 1,
      schemaVersion: '1',
      profileID: 'p',
      clientGroupID: `matrix-${who}`,
      cookie,
    };
    const answer = await rawOf(who)('POST', `/v1/sync/${workspaceId}/pull`, { body });
    if (answer.status === 401) return { ids: '', keys: [] };
    const parsed: Pulled = JSON.parse(answer.text);
    text += answer.text;
    for (const { op, key } of parsed.patch) if (op === 'put' && key !== undefined) keys.push(key);
    // Another pull would bring nothing.
    if (parsed.patch.some(({ key, value }) => key === SYNC_STATE_KEY && value?.done === true)) break;
    if (parsed.patch.length === 0) break;
    cookie = parsed.cookie;
  }
  return { ids: text, keys };
}

const clients = new Map<Who, { group: string; client: string; last: number }>();

/** Whether a mutation of a person's replica is carried out. */
export async function pushes(who: Who, name: string, args: object): Promise<boolean> {
  const known = clients.get(who) ?? { group: newId('session'), client: newId('session'), last: 0 };
  known.last += 1;
  clients.set(who, known);
  const body = {
    pushVersion: 1,
    schemaVersion: '1',
    profileID: 'p',
    clientGroupID: known.group,
    mutations: [{ clientID: known.client, id: known.last, name, args, timestamp: 0 }],
  };
  const answer = await rawOf(who)('POST', `/v1/sync/${workspaceId}/push`, { body });
  if (answer.status === 401) return false;
  expect([who, name, answer.status]).toEqual([who, name, 200]);
  const { results }: { results: unknown[] } = JSON.parse(answer.text);
  return results.length === 0;
}

export const at = (): string => world.clock.now().toISOString();
export const ws = (): Id<'workspace'> => workspaceId;
export const slugHere = (): string => slug;
