/** The keyboard of the product in a real browser: chains within 800 ms, silence while typing, the switch, the guide. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { registerShortcut, setShortcutsEnabled, watchShortcuts } from '#client/shell/shortcuts.ts';
import type { ShortcutId } from '#client/shell/shortcut-catalogue.ts';
import { ShortcutsGuide } from '#client/shell/shortcuts-guide.tsx';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';

let stops: (() => void)[] = [];
let ran: string[] = [];

function listen(id: ShortcutId, options: { inDialog?: boolean; enabled?: () => boolean } = {}): () => void {
  const stop = registerShortcut({ id, run: () => ran.push(id), ...options });
  stops.push(stop);
  return stop;
}

function press(
  key: string,
  target: EventTarget = document.body,
  init: KeyboardEventInit = {},
): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
}

beforeEach(() => {
  ran = [];
  stops = [watchShortcuts()];
});
afterEach(() => {
  vi.useRealTimers();
  setShortcutsEnabled(true);
  for (const stop of stops) stop();
  document.body.replaceChildren();
});

describe('shortcuts', () => {
  it('run a chain whose keys follow within 800 ms', () => {
    vi.useFakeTimers();
    listen('go.home');
    press('g');
    vi.advanceTimersByTime(799);
    press('h');
    expect(ran).toEqual(['go.home']);
  });

  it('forget a chain after 800 ms', () => {
    vi.useFakeTimers();
    listen('go.home');
    press('g');
    vi.advanceTimersByTime(800);
    press('h');
    expect(ran).toEqual([]);
  });

  it('prefer the chain to the single key that ends it', () => {
    listen('memory.share');
    listen('go.settings');
    press('g');
    press('s');
    expect(ran).toEqual(['go.settings']);
    press('s');
    expect(ran).toEqual(['go.settings', 'memory.share']);
  });

  it('start again when another key breaks the chain', () => {
    listen('go.home');
    for (const key of ['g', 'z', 'h', 'g', 'g', 'h']) press(key);
    expect(ran).toEqual(['go.home']);
  });

  it('survive a screen that registers between two keys of a chain', () => {
    listen('go.home');
    press('g');
    listen('memory.edit')();
    press('h');
    expect(ran).toEqual(['go.home']);
  });

  it('are silent in text fields, except with the mod key', () => {
    listen('notifications.toggle');
    listen('palette.open');
    listen('undo.last');
    const input = document.createElement('input');
    document.body.append(input);
    press('n', input);
    press('k', input, { ctrlKey: true });
    press('z', input, { ctrlKey: true });
    expect(ran).toEqual(['palette.open']);
  });

  it('work beside a checkbox, where nothing is typed', () => {
    listen('notifications.toggle');
    const box = document.createElement('input');
    box.type = 'checkbox';
    document.body.append(box);
    press('n', box);
    expect(ran).toEqual(['notifications.toggle']);
  });

  it('of one key are silent under a dialog, also while nothing in it has the focus', () => {
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    dialog.dataset['surface'] = '';
    dialog.dataset['state'] = 'open';
    document.body.append(dialog);
    listen('memory.capture');
    listen('palette.open');
    press('c');
    press('k', document.body, { ctrlKey: true });
    expect(ran).toEqual(['palette.open']);
    dialog.dataset['state'] = 'closed';
    press('c');
    expect(ran).toEqual(['palette.open', 'memory.capture']);
  });

  it('do not reach the page behind a dialog, but reach what the dialog offers', () => {
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    document.body.append(dialog);
    listen('memory.capture');
    listen('memory.edit', { inDialog: true });
    press('c', dialog);
    press('e', dialog);
    expect(ran).toEqual(['memory.edit']);
  });

  it('leave Enter to the control that has the focus', () => {
    listen('list.open');
    const button = document.createElement('button');
    document.body.append(button);
    press('Enter', button);
    expect(ran).toEqual([]);
    press('Enter');
    expect(ran).toEqual(['list.open']);
  });

  it('without a modifier can be switched off; combinations stay', () => {
    listen('notifications.toggle');
    listen('palette.open');
    setShortcutsEnabled(false);
    press('n');
    press('k', document.body, { ctrlKey: true });
    expect(ran).toEqual(['palette.open']);
    expect(localStorage.getItem('loci-shortcuts')).toBe('off');
  });

  it('follow the switch of another tab', () => {
    listen('notifications.toggle');
    localStorage.setItem('loci-shortcuts', 'off');
    globalThis.dispatchEvent(new StorageEvent('storage', { key: 'loci-shortcuts' }));
    press('n');
    expect(ran).toEqual([]);
  });

  it('repeat while held only where that helps', () => {
    listen('list.next');
    listen('memory.archive');
    press('j', document.body, { repeat: true });
    press('a', document.body, { repeat: true });
    expect(ran).toEqual(['list.next']);
  });

  it('fall to the earlier screen when the later one is not ready', () => {
    listen('memory.edit');
    const other: string[] = [];
    stops.push(registerShortcut({ id: 'memory.edit', enabled: () => false, run: () => other.push('no') }));
    press('e');
    expect([ran, other]).toEqual([['memory.edit'], []]);
  });

  it('stop the browser from doing its own thing', () => {
    listen('search.open');
    expect(press('/').defaultPrevented).toBe(true);
    expect(press('y').defaultPrevented).toBe(false);
  });

  it('belong to a component only while it is mounted', async () => {
    function Screen() {
      useShortcut('notifications.toggle', () => ran.push('screen'));
      return null;
    }
    const screen = await render(<Screen />);
    press('n');
    await screen.unmount();
    press('n');
    expect(ran).toEqual(['screen']);
  });
});

describe('the guide', () => {
  it('opens with a question mark, lists the keys, and closes the same way', async () => {
    const screen = await render(<ShortcutsGuide />);
    await userEvent.keyboard('{Shift>}?{/Shift}');
    await expect.element(screen.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await expect.element(screen.getByText('Go home')).toBeVisible();
    await expect.element(screen.getByText('Workspace settings')).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await screen.getByRole('searchbox').fill('capsule');
    await expect.element(screen.getByText('Go home')).not.toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('two parts of the page that listen', () => {
  it('run a key once, and one leaving does not deafen the other', () => {
    const leave = watchShortcuts();
    listen('notifications.toggle');
    press('n');
    leave();
    press('n');
    expect(ran).toEqual(['notifications.toggle', 'notifications.toggle']);
  });
});
