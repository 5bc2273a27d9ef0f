/** Compares real replicas with the oracle, key by key and byte by byte. */
import { expect } from 'vitest';
import { RESULT_PREFIX } from '#shared/sync/keys.ts';
import type { TestReplica } from '#tests/support/replicas.ts';
import { canonical, type Oracle } from './oracle.ts';

/** Fails with the first differences; results of refused mutations are compared as well. */
export async function expectTruth(replica: TestReplica, oracle: Oracle, realmId: string): Promise<void> {
  const truth = await oracle.view(replica.userId, realmId);
  const rows = await replica.rows();
  const results = await replica.rows(RESULT_PREFIX);
  const held = [...rows, ...results].map(([key, value]): [string, string] => [key, canonical(value)]);
  expect(Object.fromEntries(held)).toEqual(Object.fromEntries(truth));
}
