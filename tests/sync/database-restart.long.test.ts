/**
 * The database goes away under writers and comes back: the server stays alive, responds that it is unavailable, writes
 * again without a restart, and has every write that it acknowledged, once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { startApiProcess, type ApiProcess } from '#tests/support/api-process.ts';
import { createEmbeddedRig, postmasterPid } from '#tests/support/embedded-rig.ts';
import { joinServer, listMemories, type Person } from '#tests/support/person.ts';

const WRITERS = 4;
const RESTARTS = 2;
const BETWEEN = 15;

const rig = createEmbeddedRig();
let node: ApiProcess;
let person: Person;
let place: Awaited<ReturnType<typeof rig.start>>;
beforeAll(async () => {
  place = await rig.start(true);
  await migrate({ url: place.url });
  node = await startApiProcess(place.url);
  person = await joinServer(node.url, 'alice');
});
afterAll(async () => {
  await node.kill();
  await rig.clear();
});

it('keeps every acknowledged write when PostgreSQL is restarted under load', async () => {
  const acknowledged: string[] = [];
  const refused = new Set<string>();
  let writing = true;
  let next = 0;
  const writer = async () => {
    while (writing) {
      const title = `write ${(next += 1)}`;
      try {
        await person.api('memory.create', { body: { workspaceId: person.workspaceId, title } });
        acknowledged.push(title);
      } catch (error) {
        refused.add(String(error));
        // As a client does; without the pause the rate limit would respond instead of the database.
        await pause(100);
      }
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  const written = (count: number) => expect.poll(() => acknowledged.length).toBeGreaterThanOrEqual(count);
  await written(BETWEEN);
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const pid = postmasterPid(place);
    // SIGINT is a fast shutdown, SIGKILL a crash; the watch of the embedded database starts it again.
    process.kill(pid, restart % 2 === 0 ? 'SIGINT' : 'SIGKILL');
    await expect.poll(() => pidNow() !== pid).toBe(true);
    await written(acknowledged.length + BETWEEN);
  }
  writing = false;
  await writers;
  const titles = (await listMemories(person)).map(({ title }) => String(title));
  expect(titles).toEqual([...new Set(titles)]);
  expect(acknowledged.filter((title) => !titles.includes(title))).toEqual([]);
  expect([...refused].join(' ')).not.toContain('Something went wrong on our side');
});

/** The pid file is away between two lives of the server. */
function pidNow(): number | undefined {
  try {
    return postmasterPid(place);
  } catch {
    return undefined;
  }
}
