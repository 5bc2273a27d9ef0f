/** A space that is made with many memories takes few mutations, against a strict server of the protocol. */
import { afterEach, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { setCurrentReplica } from '#client/replica/current-replica.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { createSpace } from '#client/spaces/actions.ts';
import { replicaInProcess, until } from '#tests/support/engine-port.ts';
import { FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, memoryRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';

afterEach(() => setCurrentReplica(undefined));

it('has all of them after three mutations and its own', async () => {
  const server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE });
  const memories = Array.from({ length: 600 }, () => memoryRow({}));
  server.put('workspace_member', memberRow());
  server.put('memory', ...memories);
  const replica = replicaInProcess({ userId: USER, fetch: server.fetch });
  replica.openWorkspace(WORKSPACE);
  setCurrentReplica(replica);
  await until(() => replica.firstSync().state === 'ready');
  const id = newId('space');
  const isMade = await createSpace(
    { id, name: 'Of many', slug: 'of-many' },
    memories.map((memory) => memory.id),
  );
  expect(isMade).toBe(true);
  await until(() => server.applied.length >= 4);
  expect(server.applied).toHaveLength(4);
  await until(() => new ReplicaView(replica.mirrors).list('space_memory').length === 600);
  await replica.wipe();
});
