/**
 * PostgreSQL refuses to run as root, so root has to hand it to another user, who cannot go everywhere. The
 * configuration of the tests includes this file only where we are root.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmbeddedRig, postmasterPid, query, type EmbeddedRig } from '#tests/support/embedded-rig.ts';

let rig: EmbeddedRig;
beforeEach(() => {
  rig = createEmbeddedRig();
});
afterEach(() => rig.clear());

it('runs as the OS user postgres', async () => {
  const database = await rig.start();
  const owner = statSync(`/proc/${postmasterPid(database)}`).uid;
  expect(owner).not.toBe(0);
  expect(statSync(database.dataFolder).uid).toBe(owner);
});

it('works in a folder that only root may enter, says where the data went, finds it again, and begins anew when told to', async () => {
  const closed = path.join(rig.parent, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  rig.dataDir = path.join(closed, '.data');
  const first = await rig.start();
  expect(first.home.startsWith(closed)).toBe(false);
  expect(rig.lines.join('\n')).toContain(first.home);
  await query(first.url, 'create table kept as select 7 as n');
  await rig.stop(first);
  const second = await rig.start();
  expect(second.home).toBe(first.home);
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
  expect(readFileSync(path.join(rig.dataDir, 'postgres-home'), 'utf8').trim()).toBe(first.home);
  await rig.stop(second);
  rmSync(rig.dataDir, { recursive: true });
  const anew = await rig.start();
  await expect(query(anew.url, 'select n from kept')).rejects.toThrow(/does not exist/);
});

it('says what is wrong when its existing data was closed to it afterwards', async () => {
  const first = await rig.start();
  await rig.stop(first);
  chmodSync(rig.parent, 0o700);
  await expect(rig.start()).rejects.toThrow(/can no longer be reached by its OS user/);
  chmodSync(rig.parent, 0o711);
});
