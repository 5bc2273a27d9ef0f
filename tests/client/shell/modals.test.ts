/** The stack of modals: one visible, the one below comes back, a new page takes its modals along. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  closeAllModals,
  closeModal,
  closeModalsForNavigation,
  openModal,
  toggleNotifications,
  visibleModal,
} from '#client/shell/modals.ts';

const space = { spaceId: 'spc_abcdefghijkmnopqrstuvwxy' } as const;

beforeEach(() => closeAllModals());

describe('modals', () => {
  it('show the last opened, and the earlier one again when it closes', () => {
    openModal('shareSpace', space);
    openModal('deleteSpace', space);
    expect(visibleModal()).toBe('deleteSpace');
    closeModal('deleteSpace');
    expect(visibleModal()).toBe('shareSpace');
    closeModal('shareSpace');
    expect(visibleModal()).toBeUndefined();
  });

  it('opened twice are one', () => {
    openModal('createMemory', {});
    openModal('shareSpace', space);
    openModal('createMemory', { text: 'again' });
    closeModal('createMemory');
    expect(visibleModal()).toBe('shareSpace');
  });

  it('closed from below leave the visible one', () => {
    openModal('createMemory', {});
    openModal('earlyAccess', {});
    closeModal('createMemory');
    expect(visibleModal()).toBe('earlyAccess');
    closeModal('earlyAccess');
    expect(visibleModal()).toBeUndefined();
  });

  it('of the page close when it is left; typed text stays', () => {
    openModal('createMemory', { text: 'half a thought' });
    openModal('deleteSpace', space);
    closeModalsForNavigation();
    expect(visibleModal()).toBe('createMemory');
  });

  it('include the notifications slideover, which never covers another', () => {
    toggleNotifications();
    expect(visibleModal()).toBe('notifications');
    toggleNotifications();
    expect(visibleModal()).toBeUndefined();
    openModal('createSpace', {});
    toggleNotifications();
    expect(visibleModal()).toBe('createSpace');
  });
});
