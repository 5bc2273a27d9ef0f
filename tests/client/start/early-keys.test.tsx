/** Keys that come before the application can carry them out are pressed once more when it can. */
import { afterEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { registerShortcut, watchShortcuts } from '#client/shell/shortcuts.ts';
import { keepEarlyKeys, replayEarlyKeys } from '#client/start/early-keys.ts';

const stops: (() => void)[] = [];
const ran: string[] = [];

function start(): void {
  stops.push(watchShortcuts());
  stops.push(registerShortcut({ id: 'memory.capture', run: () => ran.push('capture') }));
}

afterEach(() => {
  replayEarlyKeys();
  for (const stop of stops.splice(0)) stop();
  ran.splice(0);
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

it('carries out a key once that came before its shortcut', async () => {
  keepEarlyKeys();
  await userEvent.keyboard('c');
  start();
  replayEarlyKeys();
  replayEarlyKeys();
  expect(ran).toEqual(['capture']);
});

it('does not repeat a key that was carried out at once', async () => {
  keepEarlyKeys();
  start();
  await userEvent.keyboard('c');
  replayEarlyKeys();
  expect(ran).toEqual(['capture']);
});

it('leaves alone what was typed into a field, and what was pressed long before', async () => {
  keepEarlyKeys();
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  await userEvent.keyboard('c');
  field.blur();
  await userEvent.keyboard('c');
  start();
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  replayEarlyKeys();
  expect(ran).toEqual([]);
});
