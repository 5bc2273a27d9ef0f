/** How far an action is, shown only while it takes long. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withProgress } from '#client/shell/progress-toast.ts';
import { toastStore } from '#client/shell/toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const titles = () =>
  toastStore
    .get()
    .filter(({ open }) => open)
    .map(({ title }) => title);

it('shows nothing for an action that ends within a second', async () => {
  await withProgress({ title: 'Deleting memories', total: 2 }, async (report) => {
    await vi.advanceTimersByTimeAsync(900);
    report(2);
    expect(titles()).toEqual([]);
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(titles()).toEqual([]);
});

it('counts along after a second, and goes at the end, also when the action fails', async () => {
  const failing = withProgress({ title: 'Deleting memories', total: 1_900 }, async (report) => {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(titles()).toEqual(['Deleting memories: 0 of 1900']);
    report(1_000);
    expect(titles()).toEqual(['Deleting memories: 1000 of 1900']);
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(titles()).toEqual([]);
});
