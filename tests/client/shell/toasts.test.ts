/** The toast list by the clock: how many, how long after closing, and what replaces what. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeToast, showToast, toastStore } from '#client/shell/toasts.ts';

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
});
