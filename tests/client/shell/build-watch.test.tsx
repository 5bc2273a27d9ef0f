/** Staying on the newest build: when it looks, when it reloads, and when it must not. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyWhenIdle, startBuildWatch } from '#client/shell/build-watch.ts';
import { MISSING_CODE_EVENT } from '#client/start/fetch-before-import.ts';
import { holdUnsaved } from '#client/shell/unsaved.ts';

let latest = 'one';
let looks = 0;
let loads: string[] = [];
let path = '/acme';
let survives = true;
let stop: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  latest = 'one';
  survives = true;
  looks = 0;
  loads = [];
  path = '/acme';
  stop = startBuildWatch({
    build: 'one',
    pendingPath: () => path,
    load: (target) => loads.push(target),
    survivesReload: () => survives,
    latest: () => {
      looks += 1;
      return Promise.resolve(latest);
    },
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function chunkFails(): Event {
  const event = new Event(MISSING_CODE_EVENT, { cancelable: true });
  globalThis.dispatchEvent(event);
  return event;
}

describe('the build watch', () => {
  it('looks after one second and then every hour', async () => {
    await vi.advanceTimersByTimeAsync(999);
    expect(looks).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(looks).toBe(1);
    await vi.advanceTimersByTimeAsync(3_600_000 - 1000);
    expect(looks).toBe(2);
    expect(loads).toEqual([]);
  });

  it('reloads once for a newer build', async () => {
    latest = 'two';
    await vi.advanceTimersByTimeAsync(1000);
    expect(loads).toEqual(['/acme']);
  });

  it('holds back while something is unsaved and reloads when it is saved', async () => {
    const saved = holdUnsaved();
    latest = 'two';
    await vi.advanceTimersByTimeAsync(1000);
    expect(loads).toEqual([]);
    saved();
    expect(loads).toEqual(['/acme']);
  });

  it('that waited is taken after a navigation, at the new place', async () => {
    const saved = holdUnsaved();
    latest = 'two';
    await vi.advanceTimersByTimeAsync(1000);
    applyWhenIdle();
    expect(loads).toEqual([]);
    path = '/acme/spaces';
    saved();
    expect(loads).toEqual(['/acme/spaces']);
  });

  it('holds back while someone types', async () => {
    const input = document.createElement('input');
    document.body.append(input);
    input.focus();
    latest = 'two';
    await vi.advanceTimersByTimeAsync(1000);
    input.remove();
    expect(loads).toEqual([]);
  });

  it('loads the requested page when its chunk is gone', () => {
    path = '/acme/spaces';
    expect(chunkFails().defaultPrevented).toBe(true);
    expect(loads).toEqual(['/acme/spaces']);
  });

  it('does not reload the same path twice within ten seconds, and lets the error show', async () => {
    chunkFails();
    await vi.advanceTimersByTimeAsync(9999);
    expect(chunkFails().defaultPrevented).toBe(false);
    expect(loads).toEqual(['/acme']);
    await vi.advanceTimersByTimeAsync(1);
    expect(chunkFails().defaultPrevented).toBe(true);
    expect(loads).toEqual(['/acme', '/acme']);
  });

  it('does not reload a page that would be lost, until the server responds with a newer build', async () => {
    survives = false;
    expect(chunkFails().defaultPrevented).toBe(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(loads).toEqual([]);
    latest = 'two';
    chunkFails();
    await vi.advanceTimersByTimeAsync(0);
    expect(loads).toEqual(['/acme']);
  });

  it('may reload another path at once', () => {
    chunkFails();
    path = '/acme/threads';
    chunkFails();
    expect(loads).toEqual(['/acme', '/acme/threads']);
  });
});
