// A server that refuses every request: its clients retry less and less often and not all at once, store what was
// written, and continue without a reload when it is back. The test controls the clock, so that minutes pass in moments.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#shared/ids.ts';
import type { Replica } from '#client/replica/replica.ts';
import { Backoff } from '#client/replica/worker/backoff.ts';
import { replicaInProcess } from '#tests/support/engine-port.ts';
import { addressIn, FakeSyncServer } from '#tests/support/fake-sync-server.ts';
import { passTimeUntil } from '#tests/support/held-time.ts';
import { memberRow, WORKSPACE } from '#tests/support/replica-rows.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the backoff', () => {
  const never = new AbortController().signal;
  /** Milliseconds until the next request. */
  const next = (backoff: Backoff) => backoff.waitMs;

  it('doubles the wait with each refusal up to a limit below half a minute', async () => {
    const backoff = new Backoff(() => 1);
    const waits: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      backoff.record({ status: 503, retryAfter: null });
      waits.push(next(backoff));
      await vi.advanceTimersByTimeAsync(next(backoff));
    }
    expect(waits.slice(0, 4)).toEqual([750, 1_500, 3_000, 6_000]);
    expect(new Set(waits.slice(6))).toEqual(new Set([30_000]));
  });

  it('takes refusals that come together for one', () => {
    const backoff = new Backoff(() => 0);
    for (let n = 0; n < 10; n += 1) backoff.record({ status: 502, retryAfter: null });
    expect(next(backoff)).toBe(500);
  });

  it.each([
    ['seconds', '7', 7_000],
    ['a date', new Date(9_000).toUTCString(), 9_000],
    ['more than a minute', '86400', 60_000],
    ['nonsense', 'soon', 500],
    ['the past', new Date(0).toUTCString(), 500],
  ])('waits as long as the server asks, given %s', (_what, retryAfter, expected) => {
    vi.setSystemTime(0);
    const backoff = new Backoff(() => 0);
    backoff.record({ status: 429, retryAfter });
    expect(next(backoff)).toBe(expected);
  });

  it('ends with the first successful response, on request, and when its request is aborted', async () => {
    const backoff = new Backoff(() => 0);
    backoff.record({ status: 500, retryAfter: '30' });
    backoff.record({ status: 200, retryAfter: null });
    expect(next(backoff)).toBe(0);
    backoff.record({ status: 500, retryAfter: '30' });
    const turn = backoff.wait(never);
    backoff.reset();
    await turn;
    backoff.record({ status: 500, retryAfter: '30' });
    const end = new AbortController();
    const ended = backoff.wait(end.signal);
    end.abort();
    await expect(ended).rejects.toThrow();
  });
});

const CLIENTS = 12;

describe('many clients of a server that refuses every request', () => {
  const open: Replica[] = [];
  const asked: number[] = [];

  /** One person's client with a server of its own; all of them have the same weather. */
  function client() {
    const userId = newId('user');
    const server = new FakeSyncServer({ userId, realmId: WORKSPACE });
    const account = new FakeSyncServer({ userId, realmId: userId });
    server.put('workspace_member', memberRow({ userId }));
    const route: typeof fetch = (input, init) => {
      asked.push(Date.now());
      return (addressIn(input).includes(`/${userId}/`) ? account : server).fetch(input, init);
    };
    const replica = replicaInProcess({ userId, fetch: route });
    open.push(replica);
    replica.openWorkspace(WORKSPACE);
    const refuse = (status: number | undefined, retryAfter?: string) => {
      for (const one of [server, account]) Object.assign(one.weather, { status, retryAfter });
    };
    return { server, replica, refuse };
  }

  const eventually = (holds: () => boolean, withinMs: number) => passTimeUntil(holds, withinMs, 100);

  afterEach(async () => {
    asked.length = 0;
    const wiped = Promise.all(open.splice(0).map((replica) => replica.wipe()));
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    await wiped;
  });

  /** Requests of each minute from a moment on. */
  const perMinute = (from: number, minutes: number) =>
    Array.from(
      { length: minutes },
      (_unused, index) =>
        asked.filter((at) => at >= from + index * MINUTE && at < from + (index + 1) * MINUTE).length,
    );

  it.each([
    // Four callers: pulls of two realms, pushes and the stream of pokes.
    ['without a word', undefined, 4],
    ['and asks for forty seconds', '40', 2],
  ])('%s are patient, lose nothing, and go on by themselves', async (_what, retryAfter, most) => {
    const clients = Array.from({ length: CLIENTS }, client);
    await eventually(() => clients.every(({ replica }) => replica.firstSync().state === 'ready'), MINUTE);
    for (const { refuse } of clients) refuse(503, retryAfter);
    const start = Date.now();
    const ids = await Promise.all(
      clients.map(async ({ replica }, index) => {
        const id = newId('memory');
        const made = replica.mutate('memory.create', { id, origin: 'web', title: `Storm ${index}` });
        await vi.advanceTimersByTimeAsync(50);
        await made;
        return id;
      }),
    );
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    const later = perMinute(start, 5).slice(2);
    for (const requests of later) expect(requests).toBeLessThanOrEqual(CLIENTS * 4 * most);
    expect(Math.max(...later)).toBeGreaterThan(0);
    // Not all at once: no second has half of a minute's requests.
    const seconds = Map.groupBy(
      asked.filter((at) => at > start + 2 * MINUTE),
      (at) => Math.floor(at / SECOND),
    );
    const busiest = Math.max(...[...seconds.values()].map((list) => list.length));
    expect(busiest).toBeLessThan(Math.max(...later) / 2);
    for (const { refuse } of clients) refuse(undefined);
    const isDone = () =>
      clients.every(
        ({ server, replica }, index) =>
          server.row('memory', ids[index] ?? '')?.title === `Storm ${index}` &&
          replica.status().state === 'synced',
      );
    await eventually(isDone, MINUTE);
    for (const { server } of clients) expect(server.applied).toHaveLength(1);
  });
});
