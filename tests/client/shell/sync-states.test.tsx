/**
 * The sync indicator in each of its states, with the list behind it, over a real replica and a changing network; "saved
 * here" needs a device that stores, so it is tested in tests/e2e/places.spec.ts.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { bodyFields } from '#shared/memories/body.ts';
import { startBuildWatch } from '#client/shell/build-watch.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memberRow, memoryRow } from '#tests/support/replica-rows.ts';

const row = memoryRow({ title: 'Garden plan', ...bodyFields('Beds') });

async function stage(options: Parameters<typeof stageDashboard>[1] = {}) {
  const staged = await stageDashboard((server) => server.put('memory', row), options);
  await expect.element(staged.screen.getByRole('button', { name: /^Sync: Synced/ })).toBeVisible();
  return staged;
}

async function archive(screen: Awaited<ReturnType<typeof stage>>['screen']): Promise<void> {
  await expect.element(screen.getByRole('link', { name: 'Garden plan' })).toBeVisible();
  await userEvent.keyboard('ja');
  await expect.element(screen.getByText('Memory archived')).toBeVisible();
}

afterEach(async () => {
  await page.viewport(1280, 800);
  vi.restoreAllMocks();
  document.documentElement.classList.remove('dark');
});

describe('the sync indicator', () => {
  it('shows that everything is on the server, and the time of the last sync', async () => {
    const { screen } = await stage();
    await screen.getByRole('button', { name: /^Sync: Synced/ }).click();
    const sheet = screen.getByRole('dialog', { name: 'Synced' });
    await expect.element(sheet.getByText(/^Last synced/)).toBeVisible();
    await expect.element(sheet.getByRole('button', { name: 'Sync now' })).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.keyboard('{Escape}');
  });

  it('shows without being opened that this device stores nothing, and promises nothing else', async () => {
    // What is staged lives in memory, as in a private window.
    const { screen, server, replica } = await stage();
    const line = screen.getByRole('button', { name: 'Storage: Not stored on this device' });
    await expect.element(line).toBeVisible();
    server.weather.offline = true;
    await archive(screen);
    await expect.element(screen.getByRole('button', { name: 'Sync: Offline, 1 waiting' })).toBeVisible();
    await line.click();
    const sheet = screen.getByRole('dialog', { name: 'Offline, 1 waiting' });
    await expect.element(sheet.getByText(/as long as this page stays open/)).toBeVisible();
    await expect.element(sheet.getByText(/^This browser does not store data on the device/)).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.keyboard('{Escape}');
    server.weather.offline = false;
    replica.syncNow();
    await expect.element(screen.getByRole('button', { name: /^Sync: Synced/ })).toBeVisible();
  });

  it('shows offline with the number of waiting changes and lists them, and is synced again with the network', async () => {
    const { screen, server, replica } = await stage();
    server.weather.offline = true;
    await archive(screen);
    await screen.getByRole('button', { name: 'Sync: Offline, 1 waiting' }).click();
    const sheet = screen.getByRole('dialog', { name: 'Offline, 1 waiting' });
    await expect.element(sheet.getByText('Edit memory')).toBeVisible();
    await expect.element(sheet.getByText('Garden plan')).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.keyboard('{Escape}');
    server.weather.offline = false;
    replica.syncNow();
    await expect.element(screen.getByRole('button', { name: /^Sync: Synced/ })).toBeVisible();
  });

  it('shows the word beside the heading on a phone, where the sidebar is hidden, and moves nothing', async () => {
    await page.viewport(360, 780);
    const { screen, server, replica } = await stageDashboard((rows) => rows.put('memory', row));
    const button = screen.getByRole('button', { name: /^Open the sidebar/ });
    const heading = screen.getByRole('heading', { level: 1 });
    await expect.element(screen.getByRole('link', { name: 'Garden plan' })).toBeVisible();
    const [place, before] = [heading.element().getBoundingClientRect(), button.element().textContent];
    expect(before).toBe('');
    server.weather.offline = true;
    replica.syncNow();
    await expect.element(button).toHaveTextContent('Offline');
    const [word = new DOMRect()] = [...button.element().querySelectorAll('span')].map((part) =>
      part.getBoundingClientRect(),
    );
    expect(heading.element().getBoundingClientRect()).toEqual(place);
    expect(word.left).toBeGreaterThanOrEqual(4);
    expect(word.right).toBeLessThanOrEqual(place.left - 2);
    expect(await accessibilityFaults()).toEqual([]);
    server.weather.offline = false;
    replica.syncNow();
    await expect.element(button).toHaveTextContent('');
  });

  it('shows syncing while a change is being sent', async () => {
    const { screen, server } = await stage();
    const goOn = Promise.withResolvers<void>();
    server.weather.held = goOn.promise;
    await archive(screen);
    await expect.element(screen.getByRole('button', { name: 'Sync: Syncing 1' })).toBeVisible();
    server.weather.held = undefined;
    goOn.resolve();
    await expect.element(screen.getByRole('button', { name: /^Sync: Synced/ })).toBeVisible();
  });

  it('shows that this device differed from the server, and that it was repaired', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { screen, server, replica } = await stage({ check: { everyMs: 1, quietMs: 20 } });
    const moveOn = () => {
      server.put('memory', memoryRow({ title: 'Something else' }));
      replica.syncNow();
    };
    await expect.poll(() => (moveOn(), server.checked), { interval: 500 }).toContain('same');
    server.changeUnseen('memory', { ...row, title: 'Garden plan as it is' });
    moveOn();
    await expect.poll(() => replica.status().drift?.state).toBe('healed');
    await expect.element(screen.getByRole('link', { name: 'Garden plan as it is' })).toBeVisible();
    await screen.getByRole('button', { name: /^Sync: Synced/ }).click();
    const sheet = screen.getByRole('dialog', { name: 'Synced' });
    await expect.element(sheet.getByText(/differed from the server.* now matches/)).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.keyboard('{Escape}');
  });

  it('shows that a change needs attention, with its reason and actions', async () => {
    const { screen, server, replica } = await stage();
    server.weather.offline = true;
    await archive(screen);
    await expect.element(screen.getByRole('button', { name: 'Sync: Offline, 1 waiting' })).toBeVisible();
    server.put('workspace_member', memberRow({ position: 'read-only', surname: 'Lovelace' }));
    server.weather.offline = false;
    replica.syncNow();
    await screen.getByRole('button', { name: 'Sync: 1 change needs attention' }).click();
    const sheet = screen.getByRole('dialog', { name: '1 change needs attention' });
    await expect.element(sheet.getByText(/Your position does not allow this/)).toBeVisible();
    for (const name of ['Try again', 'Discard', 'Download a copy'])
      await expect.element(sheet.getByRole('button', { name })).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await sheet.getByRole('button', { name: 'Discard' }).click();
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('button', { name: /^Sync: Synced/ })).toBeVisible();
  });
});

it('an outdated app shows a toast, whose button reloads the current page with the new version', async () => {
  const loads: string[] = [];
  const watch = { build: 'one', pendingPath: () => '/acme', load: (path: string) => loads.push(path) };
  const stop = startBuildWatch({ ...watch, latest: () => Promise.resolve('one') });
  try {
    const { screen, server, replica } = await stage();
    server.weather.refusal = 'VersionNotSupported';
    replica.syncNow();
    await expect.element(screen.getByRole('button', { name: 'Sync: Update needed' })).toBeVisible();
    await expect.element(screen.getByText(/^This version is too old for the server/)).toBeVisible();
    expect(loads).toEqual([]);
    await screen.getByRole('button', { name: 'Reload', exact: true }).click();
    expect(loads).toEqual(['/acme']);
  } finally {
    stop();
    // A watch begins with no update, and so does the next page.
    startBuildWatch(watch)();
  }
});
