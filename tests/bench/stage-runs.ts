// What benchmarks of the replica do with the stage: rows and ready answers for it, pages that open it, and the moments of
// a cold and of a warm start.
import type { Page } from 'playwright-core';
import type { Head } from '#shared/entities.ts';
import { keyOf } from '#shared/sync/keys.ts';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { until } from '#tests/support/engine-port.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { serveStage, type StageServer } from '#tests/support/replica-stage/stage-server.ts';

const PAGE = 2_000;
const READY_MS = 180_000;
const EDITS = 100;
export const FRAME_MS = 16.7;
/** Share of a frame that a change may take to be on screen. */
export const FRAME_SHARE = 0.25;

/** A browser with nothing in it, and a server with the given rows. */
export interface Sitting {
  server: FakeSyncServer;
  site: StageServer;
  profile: BrowserProfile;
  end(): Promise<void>;
}

/** Opens a sitting; `files` are further texts by their addresses. */
export async function sitDownWith(
  fill: (server: FakeSyncServer) => void,
  files: ReadonlyMap<string, string> = new Map(),
): Promise<Sitting> {
  const server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  server.put('workspace_member', memberRow());
  fill(server);
  const site = await serveStage([server, new FakeSyncServer({ userId: USER, realmId: USER })], { files });
  const profile = new BrowserProfile();
  return {
    server,
    site,
    profile,
    async end() {
      await profile.remove();
      await site.close();
    },
  };
}

/** The rows as answers of a server that has them ready, newest first, by address. */
export function pagesOf(rows: readonly Head<'memory'>[]): Map<string, string> {
  const sorted = rows.map((value) => ({ op: 'put', key: keyOf('memory', value), value }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  const pages = new Map<string, string>();
  for (let at = 0; at < sorted.length; at += PAGE) {
    pages.set(`/reference/${pages.size}`, JSON.stringify({ patch: sorted.slice(at, at + PAGE) }));
  }
  return pages;
}

/** A page with the replica and twenty lists. */
export async function openStage({ profile, site }: Pick<Sitting, 'profile' | 'site'>): Promise<Page> {
  const page = await profile.open(site.address);
  await page.evaluate((given) => stage.open(given), { userId: USER, workspaceId: WORKSPACE, lists: 20 });
  return page;
}

/** Runs something in a page of its own, without a replica. */
export async function inBarePage<T>(
  { profile, site }: Pick<Sitting, 'profile' | 'site'>,
  act: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await profile.open(site.address);
  try {
    return await act(page);
  } finally {
    await page.close();
  }
}

/** Milliseconds from the opening of the replica to its first fifty rows and to all of them. @throws Error when rows miss */
export async function startOf(page: Page, atLeast: number): Promise<{ fifty: number; all: number }> {
  await until(() => page.evaluate(() => stage.marks.all !== undefined), READY_MS);
  const found = await page.evaluate(() => stage.count());
  if (found < atLeast) throw new Error(`${found} memories are there instead of ${atLeast}`);
  const { start = 0, fifty = Number.NaN, all = Number.NaN } = await page.evaluate(() => stage.marks);
  return { fifty: fifty - start, all: all - start };
}

/** Waits until everything is on the device; returns the milliseconds since the opening of the replica. */
export async function durableSince(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    while (!(await stage.isDurable())) await new Promise((resolve) => setTimeout(resolve, 20));
    return performance.now() - (stage.marks.start ?? 0);
  });
}

/** Milliseconds from each of many changes to its being painted. */
export async function measureEdits(page: Page): Promise<number[]> {
  return await page.evaluate(async (count) => {
    const times: number[] = [];
    for (let edit = 0; edit < count; edit += 1) {
      const id =
        `mem_${'abcdefghijkmnopqrstuvwxyz123456789'.slice(0, 24)}${String(edit).padStart(8, 'a').replaceAll('0', 'z')}` as const;
      times.push(await stage.mutateToPaint('memory.create', { id, origin: 'web', title: `Edit ${edit}` }));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return times;
  }, EDITS);
}
