// What time and power cuts do to a device: long absence, a tab that was frozen until others gave it up, and the end
// of the power in the middle of one of Replicache's own writes. A strict server of the protocol, real storage code.
import { databasesWith, isOnDevice, openTab, type Tab } from '#tests/support/device.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isId, newId } from '#shared/ids.ts';
import type { Replica } from '#client/replica/replica.ts';
import { userKey } from '#client/replica/user-key.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { until } from '#tests/support/engine-port.ts';
import { addressIn, FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { passTimeUntil } from '#tests/support/held-time.ts';
import { memberRow, memoryRow } from '#tests/support/replica-rows.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PATIENCE_MS = 20_000;

const tabs: Tab[] = [];
let userId = newId('user');
let servers: FakeSyncServer[] = [];

beforeEach(() => {
  userId = newId('user');
  servers = [new FakeSyncServer({ userId, realmId: userId })];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const server of servers) server.weather.offline = true;
  for (const tab of tabs.splice(0)) await tab.end();
});

function workspace(title: string): FakeSyncServer {
  const workspaceId = newId('workspace');
  const server = new FakeSyncServer({ userId, realmId: workspaceId });
  server.put('workspace_member', memberRow({ userId, workspaceId }));
  server.put('memory', memoryRow({ workspaceId, title }));
  servers.push(server);
  return server;
}

function sit(server: FakeSyncServer): Tab {
  const route: typeof fetch = async (input, init) => {
    const found = servers.find(({ realmId }) => addressIn(input).includes(`/${realmId}/`));
    return found ? found.fetch(input, init) : new Response('', { status: 404 });
  };
  const tab = openTab({ userId, fetch: route });
  tabs.push(tab);
  tab.replica.openWorkspace(workspaceIdOf(server));
  return tab;
}

function workspaceIdOf({ realmId }: FakeSyncServer) {
  if (!isId('workspace', realmId)) throw new Error('This server is no workspace');
  return realmId;
}

const view = (replica: Replica) => new ReplicaView(replica.mirrors);
const titles = ({ replica }: Tab) =>
  view(replica)
    .list('memory')
    .flatMap(({ title }) => title ?? [])
    .sort();
const note = (title: string) => ({ id: newId('memory'), origin: 'web' as const, title });

describe('a workspace that is not opened', () => {
  const eventually = (holds: () => boolean | Promise<boolean>, withinMs: number) =>
    passTimeUntil(holds, withinMs, 1_000);

  async function visit(server: FakeSyncServer): Promise<void> {
    const tab = sit(server);
    await eventually(() => tab.replica.firstSync().state === 'ready', MINUTE);
    // Replicache looks for old databases five minutes after it was opened.
    await vi.advanceTimersByTimeAsync(7 * MINUTE);
    tab.leave(server.realmId, userId);
    await vi.advanceTimersByTimeAsync(10_000);
  }

  const isKept = async (server: FakeSyncServer) =>
    (await databasesWith(userKey(userId), server.realmId)).length > 0;

  it('is there after twenty days and collected after seventy', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const [left, used] = [workspace('Left alone'), workspace('In use')];
    await visit(left);
    const [name = ''] = await databasesWith(userKey(userId), left.realmId);
    expect(await isOnDevice(name, 'Left alone')).toBe(true);
    vi.setSystemTime(Date.now() + 20 * DAY);
    await visit(used);
    expect(await isKept(left)).toBe(true);
    left.weather.offline = true;
    const again = sit(left);
    await eventually(() => titles(again).includes('Left alone'), MINUTE);
    again.leave(left.realmId, userId);
    vi.setSystemTime(Date.now() + 70 * DAY);
    await visit(used);
    await eventually(async () => !(await isKept(left)), MINUTE);
    expect(await isKept(used)).toBe(true);
  }, 60_000);

  it('does not take the changes of a tab that was frozen until the others gave it up', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const server = workspace('Known');
    const frozen = sit(server);
    await eventually(() => frozen.replica.firstSync().state === 'ready', MINUTE);
    server.weather.offline = true;
    const before = frozen.replica.mutate('memory.create', note('Before the sleep'));
    await vi.advanceTimersByTimeAsync(MINUTE);
    await before;
    const wake = frozen.sleep();
    vi.setSystemTime(Date.now() + 31 * DAY);
    server.weather.offline = false;
    const other = sit(server);
    await eventually(() => other.replica.firstSync().state === 'ready', MINUTE);
    await vi.advanceTimersByTimeAsync(11 * MINUTE);
    const during = frozen.replica.mutate('memory.create', note('While asleep'));
    await vi.advanceTimersByTimeAsync(1_000);
    wake();
    await during;
    const isThere = (title: string) =>
      [...server.rows.values()].some(({ value }) => JSON.stringify(value).includes(`"${title}"`)) ||
      frozen.replica.status().problems.some(({ args }) => JSON.stringify(args).includes(`"${title}"`));
    await eventually(() => isThere('Before the sleep') && isThere('While asleep'), 10 * MINUTE);
    const after = frozen.replica.mutate('memory.create', note('Afterwards'));
    await vi.advanceTimersByTimeAsync(1_000);
    await after;
    await eventually(() => isThere('Afterwards'), 10 * MINUTE);
    expect(new Set(server.applied).size).toBe(server.applied.length);
  }, 60_000);
});

describe('the power that goes in the middle of a write of Replicache', () => {
  const { put } = IDBObjectStore.prototype;
  afterEach(() => {
    IDBObjectStore.prototype.put = put;
  });

  /** After so many chunks the transaction ends, and the tab never writes again. */
  function cutAfter(chunks: number, tab: Tab): { isCut: boolean } {
    const power = { isCut: false };
    let left = chunks;
    IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
      if (typeof key !== 'string' || !key.startsWith('c/') || left-- > 0) return put.call(this, value, key);
      power.isCut = true;
      tab.stopWriting();
      this.transaction.abort();
      throw new DOMException('The power is gone', 'AbortError');
    };
    return power;
  }

  it.each([0, 1, 4])(
    'loses no acknowledged change, after %i of its chunks',
    async (chunks) => {
      const server = workspace('Known');
      const tab = sit(server);
      await until(() => tab.replica.firstSync().state === 'ready', PATIENCE_MS);
      await until(async () => {
        const [name] = await databasesWith(userKey(userId), server.realmId);
        return name !== undefined && isOnDevice(name, 'Known');
      }, PATIENCE_MS);
      server.weather.offline = true;
      const power = cutAfter(chunks, tab);
      const made = Array.from({ length: 6 }, (_unused, index) => `Note ${index}`);
      for (const title of made) await tab.replica.mutate('memory.create', note(title));
      await until(() => power.isCut, PATIENCE_MS);
      IDBObjectStore.prototype.put = put;
      tab.leave(server.realmId, userId);
      const again = sit(server);
      await expect.poll(() => titles(again), { timeout: PATIENCE_MS }).toEqual(['Known', ...made]);
      server.weather.offline = false;
      again.replica.syncNow();
      await until(() => again.replica.status().state === 'synced', PATIENCE_MS);
      expect(server.applied).toHaveLength(made.length);
      expect(titles(again)).toEqual(['Known', ...made]);
    },
    60_000,
  );
});
