/** The offer to install the application, over the browser's own question, and the number on its icon. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { INSTALL_OFFER } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { minute, USER } from '#tests/support/replica-rows.ts';

afterEach(() => {
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
