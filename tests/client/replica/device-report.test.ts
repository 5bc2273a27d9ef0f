/** The figures that a device reports about itself; a figure that cannot be determined is left out. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pendingReport, storageReport } from '#client/replica/worker/device-report.ts';

const madeAgo = (ms: number) => ({ at: new Date(Date.now() - ms).toISOString() });
const pending = (...args: unknown[]) =>
  Promise.resolve(args.map((args, id) => ({ name: 'memory.update', clientID: 'c', id, args })));

afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, 'storage');
});

describe('the age of what waits', () => {
  it('is that of the oldest change, and nothing when none waits', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    expect(await pendingReport(() => pending(madeAgo(50), madeAgo(7_000), madeAgo(20)))).toEqual({
      pendingMs: 7_000,
    });
    expect(await pendingReport(() => pending())).toEqual({});
  });

  it('is never below zero, and leaves out changes without a time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    expect(await pendingReport(() => pending(madeAgo(-60_000)))).toEqual({ pendingMs: 0 });
    expect(await pendingReport(() => pending(null, {}, { at: 5 }, { at: 'soon' }, madeAgo(9)))).toEqual({
      pendingMs: 9,
    });
    expect(await pendingReport(() => pending(null, { at: 'soon' }))).toEqual({});
  });

  it('is left out for a replica that cannot be read', async () => {
    expect(await pendingReport(() => Promise.reject(new Error('closed')))).toEqual({});
  });
});

describe('the size of the browser’s storage', () => {
  const keep = (storage: unknown) =>
    Object.defineProperty(navigator, 'storage', { configurable: true, value: storage });

  it('is reported in whole bytes', async () => {
    keep({ estimate: () => Promise.resolve({ usage: 1_000.4 }) });
    expect(await storageReport()).toEqual({ storageBytes: 1_000 });
  });

  it('is left out where the browser does not report it or refuses', async () => {
    for (const storage of [
      undefined,
      {},
      { estimate: () => Promise.resolve({}) },
      { estimate: () => Promise.reject(new Error('private window')) },
    ]) {
      keep(storage);
      expect(await storageReport()).toEqual({});
    }
  });
});
