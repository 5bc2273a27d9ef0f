/** A start that waits for a slow database, and for nothing that time does not mend. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { startPatiently } from '#server/db/patient-start.ts';
import { createJobQueue } from '#server/jobs/queue.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createDatabaseProxy, type DatabaseProxy } from '#tests/support/database-proxy.ts';
import { withPatience } from '#tests/support/patience.ts';
import { createWorld, type World } from '#tests/support/world.ts';

let target: TestDatabase;
let proxy: DatabaseProxy;
let world: World;
beforeAll(async () => {
  target = await createTestDatabase();
  proxy = await createDatabaseProxy(target);
  world = await createWorld();
});
afterAll(async () => {
  await world.close();
  await proxy.close();
  await target.drop();
});

function addressWith(change: Partial<Pick<URL, 'pathname' | 'password'>>): string {
  return Object.assign(new URL(target.url), change).href;
}

describe('a database', () => {
  withPatience(0.1);

  it('that responds late is waited for, with a line that says so', async () => {
    proxy.pause();
    const lines: string[] = [];
    const done = startPatiently(
      () => migrate({ url: proxy.database.url }),
      (line) => lines.push(line),
    );
    await expect.poll(() => lines).toEqual([expect.stringContaining('The database does not respond yet')]);
    proxy.resume();
    expect(await done).toEqual([]);
  });

  it('that responds late to the job queue has its jobs done once it is there', async () => {
    proxy.pause();
    const queue = createJobQueue(proxy.database.url, {
      onError: () => undefined,
      onGivenUp: () => undefined,
    });
    const lines: string[] = [];
    const done = startPatiently(
      () => queue.start(createJobHandlers(world.context)),
      (line) => lines.push(line),
    );
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    proxy.resume();
    await done;
    await queue.stop();
  });

  it('that never responds is given up', async () => {
    const nowhere = addressWith({});
    const url = Object.assign(new URL(nowhere), { host: '127.0.0.1:1' }).href;
    await expect(
      startPatiently(
        () => migrate({ url }),
        () => undefined,
      ),
    ).rejects.toThrow('ECONNREFUSED');
  });

  it.each<[string, () => string, string]>([
    ['refuses the password', () => addressWith({ password: 'guess' }), 'password authentication failed'],
    ['is not there', () => addressWith({ pathname: '/missing' }), 'does not exist'],
  ])('that %s is not waited for', async (_what, url, reason) => {
    const lines: string[] = [];
    const started = startPatiently(
      () => migrate({ url: url() }),
      (line) => lines.push(line),
    );
    await expect(started).rejects.toThrow(reason);
    expect(lines).toEqual([]);
  });
});
