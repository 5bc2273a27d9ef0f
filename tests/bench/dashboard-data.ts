// What the benchmarks of the dashboard put on its server, and how they see that it has arrived.
import type { Page } from 'playwright-core';
import { newId } from '#shared/ids.ts';
import { until } from '#tests/support/engine-port.ts';
import type { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { linkRow, spaceRow } from '#tests/support/replica-rows.ts';
import { syntheticHeads } from './synthetic-heads.ts';

const SPACES = 20;
export const READY_MS = 120_000;
/** Replicache writes to disk and the search index is built after the rows are there. */
export const SETTLE_MS = 8_000;

/** So many memories in twenty spaces: how a server is filled with them, and how many the home list shows. */
export function fillWith(count: number) {
  const heads = syntheticHeads(count);
  const spaces = Array.from({ length: SPACES }, (_unused, index) =>
    spaceRow({ id: newId('space'), name: `Space ${index}`, slug: `space-${index}` }),
  );
  const links = spaces.flatMap(({ id }, place) =>
    heads.filter((_head, index) => index % (SPACES * 5) === place).map((head) => linkRow(id, head.id)),
  );
  return {
    shown: heads.filter(({ archived }) => !archived).length,
    fill: (server: FakeSyncServer) => {
      server.put('space', ...spaces);
      server.put('memory', ...heads);
      server.put('space_memory', ...links);
    },
  };
}

/** How many memories the list on screen has. */
export const listed = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.querySelector('li[aria-setsize]')?.getAttribute('aria-setsize') ?? 0));

/** Waits until the list has them all. */
export const allListed = (page: Page, shown: number) =>
  until(async () => (await listed(page)) === shown, READY_MS);
