// The replica against a strict server of the protocol: real Replicache in memory, everything but the browser.
import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import type { Replica } from '#client/replica/replica.ts';
import { ReplicaView } from '#client/replica/view.ts';
import type { WorkerPort } from '#client/replica/wire.ts';
import { replicaInProcess, until, WATCHDOG_WAIT_MS } from '#tests/support/engine-port.ts';
import { addressIn, FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { memberRow, memoryRow, minute, USER, WORKSPACE } from '#tests/support/replica-rows.ts';

const open: Replica[] = [];

function setUp(options: { firstPage?: number; page?: number } = {}) {
  const server = new FakeSyncServer({ userId: USER, realmId: WORKSPACE, ...options });
  server.put('workspace_member', memberRow());
  return server;
}

function connect(server: FakeSyncServer, between?: (port: WorkerPort) => WorkerPort): Replica {
  const account = new FakeSyncServer({ userId: USER, realmId: USER });
  const route: typeof fetch = (input, init) =>
    (addressIn(input).includes(`/${USER}/`) ? account : server).fetch(input, init);
  const replica = replicaInProcess({ userId: USER, fetch: route, ...(between ? { between } : {}) });
  open.push(replica);
  replica.openWorkspace(WORKSPACE);
  return replica;
}

const view = (replica: Replica) => new ReplicaView(replica.mirrors);
const ready = (replica: Replica) => until(() => replica.firstSync().state === 'ready');

afterEach(async () => {
  for (const replica of open.splice(0)) await replica.wipe();
});

describe('first sync', () => {
  it('loads every page one after the other and reports progress until it is ready', async () => {
    const server = setUp({ firstPage: 10, page: 40 });
    server.put('memory', ...Array.from({ length: 150 }, (_, index) => memoryRow({ created: minute(index) })));
    const replica = connect(server);
    expect(replica.firstSync().state).toBe('opening');
    await ready(replica);
    expect(view(replica).count('memory')).toBe(150);
    expect(view(replica).list('memory')[0]?.created).toBe(minute(149));
    expect(server.mostRunning).toBe(1);
  });

  it('sends no further slice to a page that is busy, which still sees its own changes at once', async () => {
    const server = setUp({ firstPage: 300, page: 500 });
    server.put(
      'memory',
      ...Array.from({ length: 3_000 }, (_, index) => memoryRow({ created: minute(index) })),
    );
    let slices = 0;
    let goOn: (() => void) | undefined;
    let isBusy = true;
    const replica = connect(server, (port) => {
      port.listen((message) => (slices += Number(message.type === 'rows' && message.bulk)));
      return {
        ...port,
        send(message) {
          if (isBusy && message.type === 'taken') goOn = () => port.send(message);
          else port.send(message);
        },
      };
    });
    await until(() => goOn !== undefined);
    for (const title of ['One', 'Two', 'Three']) {
      const id = newId('memory');
      await replica.mutate('memory.create', { id, origin: 'web', title });
      expect(view(replica).get('memory', id)?.title).toBe(title);
    }
    expect(slices).toBe(1);
    expect(server.requests.filter(({ path }) => path === 'pull').length).toBeLessThanOrEqual(3);
    isBusy = false;
    goOn?.();
    await ready(replica);
    expect(view(replica).count('memory')).toBe(3_003);
  });

  it('is waiting, not empty, when the device never had the realm and there is no network', async () => {
    const server = setUp();
    server.weather.offline = true;
    const replica = connect(server);
    await until(() => replica.firstSync().state === 'waiting');
    server.weather.offline = false;
    replica.syncNow();
    expect(await ready(replica)).toBe(true);
  });
});

describe('mutations', () => {
  it('are visible when the promise resolves and reach the server afterwards', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    const id = newId('memory');
    await replica.mutate('memory.create', { id, origin: 'web', title: 'Mine' });
    expect(view(replica).get('memory', id)?.title).toBe('Mine');
    await until(() => server.row('memory', id)?.title === 'Mine');
    await until(() => replica.status().state === 'synced');
    expect(view(replica).get('memory', id)?.title).toBe('Mine');
  });

  it('that make the same memory a second time change nothing, whenever that is', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    server.weather.offline = true;
    const id = newId('memory');
    const mine = () =>
      view(replica)
        .list('memory')
        .map(({ title }) => title);
    await replica.mutate('memory.create', { id, origin: 'upload', title: 'Mine', at: minute(1) });
    await replica.mutate('memory.create', { id, origin: 'upload', title: 'Mine', at: minute(1) });
    await replica.mutate('memory.create', { id, origin: 'upload', title: 'Another', at: minute(2) });
    expect(mine()).toEqual(['Mine']);
    server.weather.offline = false;
    replica.syncNow();
    await until(() => replica.status().state === 'synced');
    await replica.mutate('memory.create', { id, origin: 'upload', title: 'Another', at: minute(3) });
    expect(mine()).toEqual(['Mine']);
    await until(() => replica.status().state === 'synced');
    expect(server.row('memory', id)?.title).toBe('Mine');
  });

  it('that are still being made are part of what a last push sends, and a switch does not end them', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    const several = (count: number) =>
      Array.from({ length: count }, () => ({
        name: 'memory.create' as const,
        args: { id: newId('memory'), origin: 'web' as const, title: 'One of many' },
      }));
    const begin = () =>
      new Promise<void>((resolve) => {
        void replica.mutateAll(several(20), (applied) => applied === 1 && resolve());
      });
    await begin();
    expect(await replica.flush(60_000)).toEqual([]);
    expect(server.applied).toHaveLength(20);
    await begin();
    replica.openWorkspace(undefined);
    await until(() => server.applied.length === 40);
  });

  it('are reported as waiting as soon as they are made, until the server has confirmed them', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    await until(() => replica.status().state === 'synced');
    server.weather.status = 503;
    for (const title of ['One', 'Two']) {
      await replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title });
      expect(replica.status()).toMatchObject({ state: expect.not.stringMatching('synced') });
    }
    expect(replica.status().waiting).toBe(2);
    server.weather.status = undefined;
    replica.syncNow();
    await until(() => replica.status().state === 'synced');
    expect(server.applied).toHaveLength(2);
  });

  it('with wrong arguments are refused at once and never sent', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    const attempt = replica.mutate('memory.create', { id: newId('memory'), origin: 'web' });
    await expect(attempt).rejects.toMatchObject({ code: 'invalid' });
    expect(replica.status().waiting).toBe(0);
  });

  it('that the position does not allow are refused at once', async () => {
    const server = setUp();
    server.put('workspace_member', memberRow({ position: 'read-only' }));
    const replica = connect(server);
    await ready(replica);
    const attempt = replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title: 'No' });
    await expect(attempt).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('made offline wait, survive failed pushes and arrive exactly once', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    server.weather.offline = true;
    for (let count = 0; count < 5; count += 1) {
      await replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title: `${count}` });
    }
    const offline = await until(() => replica.status().state === 'offline' && replica.status());
    expect(offline.count).toBe(5);
    server.weather.offline = false;
    server.weather.loseAnswers = true;
    replica.syncNow();
    await until(() => server.applied.length === 5);
    server.weather.loseAnswers = false;
    replica.syncNow();
    await until(() => replica.status().state === 'synced');
    expect(new Set(server.applied).size).toBe(5);
    expect(view(replica).count('memory')).toBe(5);
  });

  it('that the server refuses lose their effect, are listed once and can be discarded', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    // The replica does not know yet that the position was lowered.
    server.rows.forEach((entry) => Object.assign(entry, { version: -1 }));
    const row = memberRow({ position: 'read-only' });
    server.rows.set([...server.rows.keys()][0] ?? '', { value: row, version: -1 });
    const id = newId('memory');
    await replica.mutate('memory.create', { id, origin: 'web', title: 'Refused' });
    const status = await until(() => replica.status().state === 'attention' && replica.status());
    expect(status.problems).toMatchObject([
      { code: 'forbidden', name: 'memory.create', args: { title: 'Refused' } },
    ]);
    expect(view(replica).get('memory', id)).toBeUndefined();
    for (const problem of status.problems) await replica.discard(problem);
    await until(() => replica.status().state === 'synced');
    expect(replica.status().problems).toEqual([]);
  });

  it('that no longer apply on a rebase do not stop pulls', async () => {
    const server = setUp();
    const [target, other] = [memoryRow({ title: 'target' }), memoryRow({ title: 'other' })];
    server.put('memory', target, other);
    const replica = connect(server);
    await ready(replica);
    server.weather.swallowPushes = true;
    await replica.mutate('memory.update', { id: target.id, title: 'edited' });
    server.put('memory', { ...target, deletedAt: minute(1) }, { ...other, title: 'news' });
    replica.syncNow();
    await until(() => view(replica).get('memory', other.id)?.title === 'news');
    server.put('memory', { ...other, title: 'more news' });
    replica.syncNow();
    expect(await until(() => view(replica).get('memory', other.id)?.title === 'more news')).toBe(true);
  });

  it('that were accepted but not confirmed are pushed again automatically', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    server.weather.swallowPushes = true;
    const id = newId('memory');
    await replica.mutate('memory.create', { id, origin: 'web', title: 'Again' });
    await until(() => server.requests.some((request) => request.path === 'push'));
    server.weather.swallowPushes = false;
    expect(await until(() => server.row('memory', id), WATCHDOG_WAIT_MS)).toMatchObject({ title: 'Again' });
  });

  it('are sent in batches of one hundred, which a 413 response halves', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    server.weather.offline = true;
    const notes = 'x'.repeat(60_000);
    for (let count = 0; count < 230; count += 1) {
      const text = count % 40 === 0 ? notes : 'short';
      await replica.mutate('memory.create', {
        id: newId('memory'),
        origin: 'web',
        notes: text,
        title: `${count}`,
      });
    }
    server.weather.offline = false;
    server.weather.maxBodyBytes = 100_000;
    replica.syncNow();
    await until(() => server.applied.length === 230);
    await until(() => replica.status().state === 'synced');
    expect(Math.max(...server.requests.map((request) => request.mutations))).toBeLessThanOrEqual(100);
    expect(new Set(server.applied).size).toBe(230);
  });
});

describe('a change that the server never takes, however small the request', () => {
  it('is on the device before it is given up, and does not hold up those behind it', async () => {
    const server = setUp();
    const confirmations: (() => void)[] = [];
    const replica = connect(server, (port) => ({
      ...port,
      send: (message) =>
        message.type === 'lost-stored' ? confirmations.push(() => port.send(message)) : port.send(message),
    }));
    await ready(replica);
    server.weather.maxBodyBytes = 50_000;
    const notes = 'x'.repeat(60_000);
    const behind = newId('memory');
    await replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title: 'Long', notes });
    await replica.mutate('memory.create', { id: behind, origin: 'web', title: 'Short' });
    await until(() => confirmations.length === 1);
    expect(replica.lost).toMatchObject([
      { name: 'memory.create', code: 'too_large', source: 'lost', args: { title: 'Long', notes } },
    ]);
    // The server continues only when the mutation is sent again without its arguments.
    expect(server.applied).toEqual([]);
    confirmations[0]?.();
    expect(await until(() => server.row('memory', behind))).toMatchObject({ title: 'Short' });
    expect(replica.lost).toHaveLength(1);
  });
});

describe('the server', () => {
  it('that responds with 401 makes the status "sign in again", and the changes stay', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    server.weather.status = 401;
    await replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title: 'Kept' });
    await until(() => replica.status().state === 'sign-in');
    expect(replica.status().waiting).toBe(1);
  });

  it('that forgot the device makes its changes lost and found, and the realm reloads', async () => {
    const server = setUp();
    server.put('memory', memoryRow({ title: 'there' }));
    const replica = connect(server);
    await ready(replica);
    const lost: unknown[] = [];
    replica.watch((message) => message.type === 'lost' && lost.push(...message.problems));
    server.weather.refusal = 'ClientStateNotFound';
    await replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title: 'Orphan' });
    await until(() => lost.length > 0);
    expect(lost).toMatchObject([{ name: 'memory.create', args: { title: 'Orphan' }, source: 'lost' }]);
    server.weather.refusal = undefined;
    replica.syncNow();
    // When the new start was refused as well, the next comes ten seconds later.
    const isThere = () =>
      view(replica)
        .list('memory')
        .some((row) => row.title === 'there');
    expect(await until(isThere)).toBe(true);
  });

  it('that forgot the device is not contacted again before the page has stored what was lost', async () => {
    const server = setUp();
    const confirmations: (() => void)[] = [];
    const replica = connect(server, (port) => ({
      ...port,
      send: (message) =>
        message.type === 'lost-stored' ? confirmations.push(() => port.send(message)) : port.send(message),
    }));
    await ready(replica);
    let resets = 0;
    replica.watch((message) => (resets += Number(message.type === 'reset')));
    server.weather.refusal = 'ClientStateNotFound';
    await replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title: 'Orphan' });
    await until(() => confirmations.length > 0);
    expect(resets).toBe(0);
    server.weather.refusal = undefined;
    confirmations.forEach((confirm) => confirm());
    await until(() => resets > 0);
    expect(replica.lost).toMatchObject([{ args: { title: 'Orphan' } }]);
  });

  it('that is too new makes the status "update" and loses nothing', async () => {
    const server = setUp();
    const replica = connect(server);
    await ready(replica);
    server.weather.refusal = 'VersionNotSupported';
    await replica.mutate('memory.create', { id: newId('memory'), origin: 'web', title: 'Old app' });
    await until(() => replica.status().state === 'update');
    expect(replica.status().waiting).toBe(1);
  });

  it('that revokes access to the workspace empties the replica and reports it', async () => {
    const server = setUp();
    server.put('memory', memoryRow());
    const replica = connect(server);
    await ready(replica);
    server.revoked = true;
    replica.syncNow();
    await until(() => replica.revoked);
    expect(await until(() => view(replica).count('memory') === 0)).toBe(true);
  });
});
