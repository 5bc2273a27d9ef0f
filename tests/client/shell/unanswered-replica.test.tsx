/**
 * Every page of a workspace while the replica has not answered yet, and while only a part of it has arrived: what is
 * drawn then is true, so it stays. No count, no empty list and no missing right is drawn before it is known.
 */
import { expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { PAGES, pathTo, type ShellPageName } from '#shared/pages.ts';
import { pageRoutes } from '#client/page-routes.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import {
  linkRow,
  memberRow,
  memoryRow,
  messageRow,
  minute,
  spaceRow,
  threadRow,
} from '#tests/support/replica-rows.ts';

const WORKSPACE_PATH = '/:workspace_slug';
const names = Object.keys(pageRoutes).filter(
  (name): name is ShellPageName => name in pageRoutes && PAGES[name as ShellPageName].layout === 'dashboard',
);

const space = spaceRow({ name: 'Harbour', slug: 'harbour' });
const thread = threadRow({ name: 'Tides' });
/** More than the first page of a pull, with the links of all of them on the second one. */
const memories = Array.from({ length: 400 }, (_unused, index) =>
  memoryRow({ title: `Memory ${index}`, tags: [index < 250 ? 'early' : 'late'], created: minute(-index) }),
);

function fill(server: FakeSyncServer): void {
  server.put('workspace_member', memberRow({ userId: newId('user'), forename: 'Bob', position: 'member' }));
  server.put('space', space);
  server.put('thread', thread);
  server.put('message', messageRow({ threadId: thread.id }));
  server.put('memory', ...memories);
  server.put('space_memory', ...memories.map(({ id }) => linkRow(space.id, id)));
}

/** Lets the server answer one request, and later all of them. */
function holdBack({ weather }: FakeSyncServer) {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  let asked = 0;
  Object.defineProperty(weather, 'held', {
    get: () => {
      asked += 1;
      return gates[asked === 1 ? 0 : 1].promise;
    },
  });
  return { first: gates[0].resolve, others: gates[1].resolve, asked: () => asked };
}

/** True for as long as it stands there. */
const PROGRESS = 'Downloading your memories';
const PASSING = '[aria-busy="true"], [role="progressbar"], .sr-only, [data-item], h1';

const isVisible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });

/** The words of the page and the addresses of its links, but for its title, the memories of a list and what is on its way. */
function drawn(root: Element): string[] {
  const found = [...root.querySelectorAll('a[href]:not([data-item])')]
    .filter(isVisible)
    .map((link) => link.getAttribute('href') ?? '');
  const main = root.querySelector('main');
  if (!main) return found;
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode;
    if (!parentElement || !isVisible(parentElement)) continue;
    if (textContent?.trim() && parentElement.closest(PASSING) === null) found.push(textContent.trim());
  }
  return found;
}

it.each(names)('draws nothing false on %s', async (name) => {
  const route = pageRoutes[name];
  if (!route) throw new Error(`${name} has no page`);
  const Component = await route.load();
  const params = { workspace_slug: 'acme', space_slug: space.slug, thread_id: thread.id, id: '', token: '' };
  let gate: ReturnType<typeof holdBack> | undefined;
  const { screen } = await stageDashboard(
    (server) => {
      fill(server);
      gate = holdBack(server);
    },
    {
      path: pathTo(name, params).slice('/acme'.length),
      pages: [{ path: PAGES[name].path.slice(WORKSPACE_PATH.length + 1), Component }],
    },
  );
  const ever = new Set<string>();
  const look = () => drawn(screen.container).forEach((line) => line === PROGRESS || ever.add(line));
  const watch = new MutationObserver(look);
  watch.observe(screen.container, { childList: true, subtree: true, characterData: true });
  look();
  const now = () => drawn(screen.container);
  await expect.poll(() => screen.container.querySelector('main [aria-busy="true"]')).not.toBeNull();
  gate?.first();
  await expect.poll(gate?.asked ?? (() => 0)).toBeGreaterThan(1);
  await expect.poll(now).toContain(pathTo('space', params));
  gate?.others();
  const last = name === 'space' ? '400 memories' : pathTo('settings', params);
  await expect.poll(now).toContain(last);
  const gone = () => [...ever].filter((line) => !now().includes(line));
  await expect.poll(gone).toEqual([]);
  watch.disconnect();
});
