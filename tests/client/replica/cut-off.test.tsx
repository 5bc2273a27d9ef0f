/** A page without a network says so at once. */
import { afterEach, expect, it } from 'vitest';
import type { Replica } from '#client/replica/replica.ts';
import { replicaInProcess } from '#tests/support/engine-port.ts';
import { addressIn, FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';

const open: Replica[] = [];
afterEach(async () => {
  for (const replica of open.splice(0)) await replica.wipe();
});

it('is offline from the event of the browser on, until a server responds all the same', async () => {
  const [server, account] = [WORKSPACE, USER].map((realmId) => new FakeSyncServer({ userId: USER, realmId }));
  if (!server || !account) throw new Error('no servers');
  server.put('workspace_member', memberRow());
  const route: typeof fetch = (input, init) =>
    (addressIn(input).includes(`/${USER}/`) ? account : server).fetch(input, init);
  const replica = replicaInProcess({ userId: USER, fetch: route });
  open.push(replica);
  replica.openWorkspace(WORKSPACE);
  await expect.poll(() => replica.status().state).toBe('synced');
  const answer = Promise.withResolvers<void>();
  for (const each of [server, account]) each.weather.held = answer.promise;
  dispatchEvent(new Event('offline'));
  await expect.poll(() => replica.status().state).toBe('offline');
  answer.resolve();
  await expect.poll(() => replica.status().state).toBe('synced');
});
