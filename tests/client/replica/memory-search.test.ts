/** When the search of a page begins to read the memories of the replica. */
import { expect, it } from 'vitest';
import { keyOf, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { BodyCache } from '#client/replica/body-cache.ts';
import { MemorySearch } from '#client/replica/memory-search.ts';
import type { KeyChange } from '#client/replica/mirror.ts';
import { Replica } from '#client/replica/replica.ts';
import { INITIAL_FACTS } from '#client/replica/status.ts';
import type { FromWorker } from '#client/replica/wire.ts';
import { until } from '#tests/support/engine-port.ts';
import { memoryRow, USER, WORKSPACE } from '#tests/support/replica-rows.ts';
import { searchInProcess } from '#tests/support/search-in-process.ts';

it('begins once the last rows are shown, also when the worker then has nothing to say', async () => {
  let say: (message: FromWorker) => void = () => undefined;
  const replica = new Replica({
    port: { send: () => undefined, listen: (listener) => (say = listener), terminate: () => undefined },
    session: { userId: USER, token: 'token', apiBase: '', memoryOnly: true },
  });
  const options = { replica, bodies: new BodyCache(undefined), isStored: false, start: searchInProcess };
  const search = new MemorySearch(options);
  replica.openWorkspace(WORKSPACE);
  const rows = (...changes: KeyChange[]) => say({ type: 'rows', realmId: WORKSPACE, changes, bulk: true });
  const row = memoryRow({ title: 'Harbour' });
  rows([SYNC_STATE_KEY, { v: 1, done: true, loaded: 1, total: 1 }]);
  rows([keyOf('memory', row), row]);
  say({ type: 'facts', realmId: WORKSPACE, facts: { ...INITIAL_FACTS, loaded: true, online: true } });
  expect(search.isOpen).toBe(false);
  await until(() => search.isComplete, 5_000);
  expect((await search.search('harbour', {}))?.hits.map(({ id }) => id)).toEqual([row.id]);
  await search.close({ discard: true });
  replica.terminate();
});
