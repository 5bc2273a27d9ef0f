/** The offer to install the application, over the browser's own question, and the number on its icon. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { INSTALL_OFFER } from '#client/ui/timing.ts';
import { newId } from '#shared/ids.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow, minute, spaceRow, USER } from '#tests/support/replica-rows.ts';

afterEach(async () => {
  await page.viewport(1280, 800);
  localStorage.removeItem('loci-saves');
  localStorage.removeItem('loci-install-snoozed');
  dispatchEvent(new Event('appinstalled'));
  vi.restoreAllMocks();
});

/** Simulates the browser's offer to install the application; returns how often its prompt was shown. */
function browserOffers(outcome: 'accepted' | 'dismissed') {
  const prompt = vi.fn(async () => ({ outcome }));
  const question = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  dispatchEvent(question);
  return { prompt, question };
}

async function saveAFew(screen: Awaited<ReturnType<typeof stageDashboard>>['screen'], count: number) {
  for (let left = count; left > 0; left -= 1) {
    const words = `Thought ${count}.${left}`;
    await userEvent.fill(screen.getByRole('textbox', { name: 'Save a memory' }), words);
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByRole('link', { name: words })).toBeVisible();
  }
}

describe('installing', () => {
  it('is offered after a few saves, stays away once put away, and is in the menu all the same', async () => {
    const { screen } = await stageDashboard(() => undefined);
    await expect.element(screen.getByRole('textbox', { name: 'Save a memory' })).toBeVisible();
    const { prompt, question } = browserOffers('accepted');
    expect(question.defaultPrevented).toBe(true);
    const card = screen.getByRole('region', { name: 'Install Loci' });
    await saveAFew(screen, INSTALL_OFFER.afterSaves - 1);
    await expect.element(card).not.toBeInTheDocument();
    await saveAFew(screen, 1);
    await expect.element(card).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);

    await card.getByRole('button', { name: 'Not now' }).click();
    await expect.element(card).not.toBeInTheDocument();
    browserOffers('accepted');
    await expect.element(card).not.toBeInTheDocument();

    await screen.getByRole('button', { name: /^Account of/ }).click();
    await screen.getByRole('menuitem', { name: 'Install Loci' }).click();
    expect(prompt).not.toHaveBeenCalled();
  });

  it('moves nothing when the browser allows it late, nor when it is put away', async () => {
    localStorage.setItem('loci-saves', String(INSTALL_OFFER.afterSaves));
    const { screen } = await stageDashboard((server) => {
      server.put('memory', ...['One', 'Two', 'Three'].map((title) => memoryRow({ title })));
      server.put('space', spaceRow({ name: 'Garden' }));
    });
    await expect.element(screen.getByRole('link', { name: 'Three' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Garden' })).toBeVisible();
    await expect.element(screen.getByText('3 memories', { exact: true }).first()).toBeVisible();
    const places = () =>
      [...document.querySelectorAll('main *, aside a, aside button')]
        .filter((element) => !element.closest('section[aria-label="Install Loci"]'))
        .map((element) => JSON.stringify(element.getBoundingClientRect()));
    const before = places();
    browserOffers('dismissed');
    const card = screen.getByRole('complementary').getByRole('region', { name: 'Install Loci' });
    await expect.element(card).toBeVisible();
    expect(places()).toEqual(before);
    await card.getByRole('button', { name: 'Not now' }).click();
    await expect.element(card).not.toBeInTheDocument();
    expect(places()).toEqual(before);
  });

  it('is in the drawer of a phone', async () => {
    await page.viewport(390, 844);
    localStorage.setItem('loci-saves', String(INSTALL_OFFER.afterSaves));
    const { screen } = await stageDashboard(() => undefined);
    await expect.element(screen.getByText('Save your first memory')).toBeVisible();
    browserOffers('dismissed');
    const card = screen.getByRole('region', { name: 'Install Loci' });
    await expect.element(card).not.toBeInTheDocument();
    await screen.getByRole('button', { name: /^Open the sidebar/ }).click();
    await expect.element(card).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await card.getByRole('button', { name: 'Not now' }).click();
    await expect.element(card).not.toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
  });

  it('shows the browser’s prompt once, and not again after it was dismissed', async () => {
    localStorage.setItem('loci-saves', String(INSTALL_OFFER.afterSaves));
    const { screen } = await stageDashboard(() => undefined);
    const card = screen.getByRole('region', { name: 'Install Loci' });
    await expect.element(screen.getByRole('textbox', { name: 'Save a memory' })).toBeVisible();
    await expect.element(card).not.toBeInTheDocument();
    const { prompt } = browserOffers('dismissed');
    await card.getByRole('button', { name: 'Install', exact: true }).click();
    await expect.element(card).not.toBeInTheDocument();
    expect(prompt).toHaveBeenCalledTimes(1);
    browserOffers('accepted');
    await expect.element(card).not.toBeInTheDocument();
  });
});

describe('the number on the icon', () => {
  it('is that of the notifications that were not seen', async () => {
    const setAppBadge = vi.fn(async () => undefined);
    Object.assign(navigator, { setAppBadge });
    await stageDashboard((_server, account) => {
      for (const at of [1, 2, 3])
        account.put('notification', {
          id: newId('notification'),
          userId: USER,
          workspaceId: null,
          category: 'workspace',
          triggerId: 'memory.conflict',
          title: `News ${at}`,
          body: '',
          priority: 'low',
          metadata: {},
          seen: at === 3,
          status: 'active',
          created: minute(at),
          updated: minute(at),
        });
    });
    await expect.poll(() => setAppBadge.mock.lastCall).toEqual([2]);
    Reflect.deleteProperty(navigator, 'setAppBadge');
  });
});
