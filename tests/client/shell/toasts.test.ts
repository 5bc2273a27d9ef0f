/** The toast list by the clock: how many, how long after closing, and what replaces what. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeAllToasts, closeToast, showToast, toastStore } from '#client/shell/toasts.ts';

const titles = () => toastStore.get().map((toast) => toast.title);

beforeEach(() => {
  vi.useFakeTimers();
  toastStore.set([]);
});
afterEach(() => void vi.useRealTimers());

describe('toasts', () => {
  it('show at most five, the newest last', () => {
    for (let number = 1; number <= 7; number += 1) showToast({ title: `${number}` });
    expect(titles()).toEqual(['3', '4', '5', '6', '7']);
  });

  it('stay closed in the list for exactly 200 ms, so that they can fade', () => {
    const id = showToast({ title: 'Saved' });
    closeToast(id);
    expect(toastStore.get()[0]?.open).toBe(false);
    vi.advanceTimersByTime(199);
    expect(titles()).toEqual(['Saved']);
    vi.advanceTimersByTime(1);
    expect(titles()).toEqual([]);
  });

  it('with the same id replace each other', () => {
    showToast({ id: 'sync', title: 'Offline' });
    showToast({ title: 'Other' });
    showToast({ id: 'sync', title: 'Online' });
    expect(titles()).toEqual(['Other', 'Online']);
  });

  it('shown again while fading are not removed by the earlier closing', () => {
    showToast({ id: 'sync', title: 'Offline' });
    closeToast('sync');
    vi.advanceTimersByTime(100);
    showToast({ id: 'sync', title: 'Online' });
    vi.advanceTimersByTime(500);
    expect(titles()).toEqual(['Online']);
    expect(toastStore.get()[0]?.open).toBe(true);
  });

  it('wake listeners on every change and never without one', () => {
    const listener = vi.fn<() => void>();
    const stop = toastStore.subscribe(listener);
    closeToast('unknown');
    expect(listener).toHaveBeenCalledTimes(0);
    showToast({ title: 'One' });
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
    closeAllToasts();
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
