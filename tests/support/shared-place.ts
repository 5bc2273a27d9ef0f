/**
 * A workspace that shows something to the web: a public space with memories and a public thread with messages, made
 * through the API. For stories and measurements of the public pages.
 */
import { newId } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { joinServer, patiently, proveAddress, type Person } from './person.ts';

/** Addresses of what the workspace shows. */
export interface SharedPlace {
  owner: Person;
  space: string;
  /** A note of the space. */
  memory: string;
  thread: string;
  workspace: string;
}

const KINDS = ['Beadlet anemone', 'Limpets find home', 'Blenny', 'Shore crab moulting', 'Dog whelk'];
const AT_ONCE = 4;

const MESSAGE = [
  'The **north pool** keeps its water longest. What I saw there:',
  '',
  '- two [beadlet anemones](https://example.org/anemone)',
  '- a blenny under the `third` ledge',
  '',
  '| pool | crabs |',
  '| --- | --- |',
  '| north | 4 |',
  '| south | 1 |',
  '',
  '> Come back at low water.',
].join('\n');

/** Signs a person up, who shares one space with so many memories and one thread. */
export async function sharePlace(url: string, name: string, memories = 5): Promise<SharedPlace> {
  const owner = await joinServer(url, name);
  await proveAddress(url, owner);
  return fillPlace(owner, memories);
}

/** Shares one space of the person with so many memories and one thread. */
export async function fillPlace(owner: Person, memories: number): Promise<SharedPlace> {
  const { api, workspaceId, slug } = owner;
  const { result: space } = await api('space.create', {
    body: {
      workspaceId,
      name: 'Tide pools',
      slug: 'tide-pools',
      visibility: 'public',
      description: 'What lives between the tides.',
      color: 'olive',
    },
  });
  const ids: string[] = [];
  const add = async (n: number) => {
    const kind = KINDS[n % KINDS.length] ?? '';
    const memory = {
      workspaceId,
      spaceId: space.id,
      title: `${kind} ${n + 1}`,
      tags: ['shore', 'field notes'],
      description: `${kind}: seen at the north pool, low water.`,
      notes: n % 2 === 0 ? 'known to us alone' : MESSAGE,
      ...(n % 2 === 0 ? { url: `https://example.org/shore/${n}` } : {}),
    };
    const { result } = await patiently(() => api('memory.create', { body: memory }));
    ids[n] = result.id;
  };
  for (let n = 0; n < memories; n += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, memories - n) }, (_, k) => add(n + k)));
  const threadId = newId('thread');
  await api('thread.create', {
    body: { id: threadId, workspaceId, name: 'Notes from the shore', visibility: 'public' },
  });
  for (const content of ['What is in the pools?', MESSAGE])
    await api('message.create', { params: { workspaceId, threadId }, body: { content } });
  return {
    owner,
    space: pathTo('public_space', { workspace_slug: slug, space_slug: 'tide-pools' }),
    memory: pathTo('public_memory', {
      workspace_slug: slug,
      space_slug: 'tide-pools',
      memory_id: ids[1] ?? '',
    }),
    thread: pathTo('public_thread', { workspace_slug: slug, thread_id: threadId }),
    workspace: pathTo('public_workspace', { workspace_slug: slug }),
  };
}
