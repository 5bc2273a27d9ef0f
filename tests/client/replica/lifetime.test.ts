// What time and power cuts do to a device: long absence, a tab that was frozen until others gave it up, and the end
// of the power in the middle of one of Replicache's own writes. A strict server of the protocol, real storage code.
import { databasesWith, isOnDevice, noted, openTab, type Tab } from '#tests/support/device.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isId, newId } from '#shared/ids.ts';
import type { Replica } from '#client/replica/replica.ts';
import { userKey } from '#client/replica/user-key.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { until } from '#tests/support/engine-port.ts';
import { addressIn, FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { passTimeUntil } from '#tests/support/held-time.ts';
import { memberRow, memoryRow } from '#tests/support/replica-rows.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const tabs: Tab[] = [];
let userId = newId('user');
let servers: FakeSyncServer[] = [];

beforeEach(() => {
  userId = newId('user');
  servers = [new FakeSyncServer({ userId, realmId: userId })];
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const server of servers) server.weather.offline = true;
  for (const tab of tabs.splice(0)) await tab.end();
});

/** A workspace, of another person if one is given. */
function workspace(title: string, owner = userId): FakeSyncServer {
  const workspaceId = newId('workspace');
  const server = new FakeSyncServer({ userId: owner, realmId: workspaceId });
  server.put('workspace_member', memberRow({ userId: owner, workspaceId }));
  server.put('memory', memoryRow({ workspaceId, title }));
  servers.push(server);
  return server;
}

function sit(server: FakeSyncServer, owner = userId): Tab {
  const route: typeof fetch = async (input, init) => {
    const found = servers.find(({ realmId }) => addressIn(input).includes(`/${realmId}/`));
    return found ? found.fetch(input, init) : new Response('', { status: 404 });
  };
  const tab = openTab({ userId: owner, fetch: route });
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

  async function leave(tab: Tab, server: FakeSyncServer, owner = userId): Promise<void> {
    tab.leave(server.realmId, owner);
    await vi.advanceTimersByTimeAsync(10_000);
  }

  async function visit(server: FakeSyncServer, owner = userId): Promise<void> {
    const tab = sit(server, owner);
    await eventually(() => tab.replica.firstSync().state === 'ready', MINUTE);
    // Old databases are looked for five minutes after the start, by Replicache and by us.
    await vi.advanceTimersByTimeAsync(7 * MINUTE);
    await leave(tab, server, owner);
  }

  const isKept = async (server: FakeSyncServer) =>
    (await databasesWith(userKey(userId), server.realmId)).length > 0;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });

  /** Seventy days pass, and then only another person uses the device. */
  async function passSeventyDays(): Promise<void> {
    const colleague = newId('user');
    servers.push(new FakeSyncServer({ userId: colleague, realmId: colleague }));
    vi.setSystemTime(Date.now() + 70 * DAY);
    await visit(workspace('Of a colleague', colleague), colleague);
  }

  /** The person comes back, and the server gets what was never sent. */
  async function expectSent(server: FakeSyncServer, ...expected: string[]): Promise<void> {
    server.weather.offline = false;
    const tab = sit(server);
    await eventually(() => titles(tab).length === 1 + expected.length, MINUTE);
    await eventually(() => server.applied.length === expected.length, MINUTE);
    expect(titles(tab)).toEqual(['Known', ...expected]);
    expect(server.applied).toHaveLength(expected.length);
  }

  async function change(tab: Tab, title: string): Promise<void> {
    const done = tab.replica.mutate('memory.create', note(title));
    await vi.advanceTimersByTimeAsync(1_000);
    await done;
  }

  it('stays for a change that only the journal has', async () => {
    const server = workspace('Known');
    const tab = sit(server);
    await eventually(() => tab.replica.firstSync().state === 'ready', MINUTE);
    server.weather.offline = true;
    const [name = ''] = await databasesWith(userKey(userId), server.realmId);
    await eventually(() => isOnDevice(name, 'Known'), MINUTE);
    tab.stopWriting();
    await change(tab, 'Noted');
    await leave(tab, server);
    expect([await noted(name), await isOnDevice(name, 'Noted')]).toEqual([1, false]);
    await passSeventyDays();
    expect(await isKept(server)).toBe(true);
    await expectSent(server, 'Noted');
  });

  it('stays for an unsent change, and goes without one', async () => {
    const [server, other] = [workspace('Known'), workspace('Nothing unsent')];
    await visit(other);
    const tab = sit(server);
    await eventually(() => tab.replica.firstSync().state === 'ready', MINUTE);
    server.weather.offline = true;
    await change(tab, 'Never sent');
    const [name = ''] = await databasesWith(userKey(userId), server.realmId);
    await eventually(async () => (await noted(name)) === 0, MINUTE);
    await leave(tab, server);
    await passSeventyDays();
    expect(await isKept(server)).toBe(true);
    expect(await isKept(other)).toBe(false);
    await expectSent(server, 'Never sent');
  });

  it('stays while a tab has it open, also where no locks say so', async () => {
    vi.stubGlobal('navigator', { userAgent: 'without locks' });
    const server = workspace('Known');
    const tab = sit(server);
    await eventually(() => tab.replica.firstSync().state === 'ready', MINUTE);
    await passSeventyDays();
    expect(await isKept(server)).toBe(true);
    await change(tab, 'Much later');
    await eventually(() => server.applied.length === 1, MINUTE);
    expect(tab.replica.status().storage).toBe('ok');
  });

  it('is there after twenty days and collected after seventy', async () => {
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
  });

  it('does not take the changes of a tab that was frozen until the others gave it up', async () => {
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
  });
});

describe('the power that goes in the middle of a write of Replicache', () => {
  const { put } = IDBObjectStore.prototype;
  afterEach(() => {
    IDBObjectStore.prototype.put = put;
  });

  /** After so many packs the transaction ends, and the tab never writes again. */
  function cutAfter(packs: number, tab: Tab): { isCut: boolean } {
    const power = { isCut: false };
    let left = packs;
    IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
      if (typeof key !== 'string' || !key.startsWith('c/') || left-- > 0) return put.call(this, value, key);
      power.isCut = true;
      tab.stopWriting();
      this.transaction.abort();
      throw new DOMException('The power is gone', 'AbortError');
    };
    return power;
  }

  it.each(IS_WHOLE ? [0, 1] : [1])('loses no acknowledged change, after %i of its packs', async (packs) => {
    const server = workspace('Known');
    const tab = sit(server);
    await until(() => tab.replica.firstSync().state === 'ready');
    await until(async () => {
      const [name] = await databasesWith(userKey(userId), server.realmId);
      return name !== undefined && isOnDevice(name, 'Known');
    });
    server.weather.offline = true;
    const power = cutAfter(packs, tab);
    const made = Array.from({ length: 6 }, (_unused, index) => `Note ${index}`);
    for (const title of made) await tab.replica.mutate('memory.create', note(title));
    await until(() => power.isCut);
    IDBObjectStore.prototype.put = put;
    tab.leave(server.realmId, userId);
    const again = sit(server);
    await expect.poll(() => titles(again)).toEqual(['Known', ...made]);
    server.weather.offline = false;
    again.replica.syncNow();
    await until(() => again.replica.status().state === 'synced');
    expect(server.applied).toHaveLength(made.length);
    expect(titles(again)).toEqual(['Known', ...made]);
  });
});
