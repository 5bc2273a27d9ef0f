/** A crash in the middle of 200 writes: whatever the server or the app called saved is there afterwards, once. */
import { ApiProblem } from '#client/api/api-problem.ts';
import { newId, type Id } from '#shared/ids.ts';
import { joinServer, listMemories, sitDown, type Person } from '../support/person.ts';
import { expect, test } from './support/stories.ts';

const REST_WRITES = 120;
const BROWSER_WRITES = 80;
const WRITERS = 4;

test.use({ baseURL: undefined });

interface Write {
  id: Id<'memory'>;
  title: string;
  acknowledged: boolean;
}

function restWrites(): Write[] {
  return Array.from({ length: REST_WRITES }, (_, n) => ({
    ...{ id: newId('memory'), title: `Written by REST ${n}`, acknowledged: false },
  }));
}

/** True once the server has said yes; false when no answer came, or one that leaves it open on a busy machine. */
async function attempt({ api, workspaceId }: Person, { id, title }: Write): Promise<boolean> {
  try {
    await api('memory.create', { body: { workspaceId, id, title } });
    return true;
  } catch (error) {
    if (error instanceof ApiProblem && error.status !== 503) throw error;
    return false;
  }
}

/** Sends all of them from a few writers at once and tells after each how many are acknowledged. */
async function sendAll(person: Person, writes: readonly Write[], onCount: (count: number) => void) {
  const left = [...writes];
  let count = 0;
  const writer = async () => {
    for (let write = left.shift(); write; write = left.shift()) {
      write.acknowledged = await attempt(person, write);
      if (write.acknowledged) onCount((count += 1));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

test('every acknowledged write survives a kill in the middle of 200, exactly once', async ({
  page,
  context,
  ownServer,
}) => {
  test.setTimeout(360_000);
  const person = await joinServer(ownServer.url, 'grace');
  await sitDown(context, ownServer.url, person);
  await page.goto(`${ownServer.url}/${person.slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  // Parts of the app that were not needed yet come from the service worker once the server is dead.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

  const links = Array.from({ length: BROWSER_WRITES }, (_, n) => `https://example.com/page-${n}`);
  const field = page.getByRole('textbox', { name: 'Save a memory' });
  await field.fill(links.join('\n'));
  const saveInBrowser = async () => {
    await field.press('Control+Enter');
    // From here on the app has said "saved", while the server is dying or dead.
    await expect(page.getByText(`${BROWSER_WRITES} memories saved`, { exact: true })).toBeVisible({
      timeout: 30_000,
    });
  };
  const writes = restWrites();
  let saving: Promise<void> | undefined;
  let killing: Promise<void> | undefined;
  await sendAll(person, writes, (count) => {
    if (count === 10) saving = saveInBrowser();
    if (count === REST_WRITES / 2) killing = ownServer.kill();
  });
  await Promise.all([saving, killing]);
  const acknowledged = writes.filter((write) => write.acknowledged);
  expect(acknowledged.length).toBeGreaterThanOrEqual(REST_WRITES / 2);
  expect(acknowledged.length).toBeLessThan(REST_WRITES);

  await ownServer.start();
  const afterCrash = (await listMemories(person)).map(({ id }) => id);
  for (const { id, title } of acknowledged) {
    expect(
      afterCrash.filter((found) => found === id),
      title,
    ).toHaveLength(1);
  }
  // A client that heard nothing asks again with the same id; whether the first try arrived makes no difference.
  for (const write of writes.filter((each) => !each.acknowledged)) {
    if (!afterCrash.includes(write.id)) await expect.poll(() => attempt(person, write)).toBe(true);
  }
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible({ timeout: 30_000 });

  const all = await listMemories(person);
  expect(all.map(({ id }) => id).filter((id) => writes.some((write) => write.id === id))).toHaveLength(
    REST_WRITES,
  );
  expect(all.flatMap(({ url }) => url ?? []).sort()).toEqual(links.toSorted());
  expect(new Set(all.map(({ id }) => id)).size).toBe(REST_WRITES + BROWSER_WRITES);
});
