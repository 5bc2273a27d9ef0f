/**
 * Menus, popovers and hints of the dashboard while they are open: part of a landmark or of the dialog they belong to,
 * whole, above everything else, and the focus goes back to where it came from. Those of public pages: site-quality.spec.ts.
 */
import type { Locator, Page } from '@playwright/test';
import { logInAsDemo } from './support/demo.ts';
import { LONG_LOOK, LOOKS, windowOf, type Look } from './support/looks.ts';
import { lookFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

interface Seen {
  name: string;
  mode: Look;
}

/** No accessibility fault, the rule about landmarks included; nothing cut off; nothing above it. */
async function expectSound(page: Page, surface: Locator, { name, mode }: Seen): Promise<void> {
  await expect(surface).toBeVisible();
  expect([name, ...(await lookFaults(page, mode))]).toEqual([name]);
  await expect(surface).toBeInViewport({ ratio: 0.99 });
  const isOnTop = await surface.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    // The middle of each edge: the corners are round.
    const shares = [
      [0.5, 0.03],
      [0.5, 0.97],
      [0.03, 0.5],
      [0.97, 0.5],
      [0.5, 0.5],
    ] as const;
    return shares.every(([x, y]) =>
      element.contains(document.elementFromPoint(left + width * x, top + height * y)),
    );
  });
  expect(isOnTop, name).toBe(true);
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}-${mode}.png` });
}

/** Opens the menu of a button, looks at it, and leaves it by Escape. */
async function lookAtMenu(page: Page, trigger: Locator, seen: Seen): Promise<void> {
  await trigger.click();
  const menu = page.getByRole('menu');
  await expectSound(page, menu, seen);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(trigger, seen.name).toBeFocused();
}

for (const mode of LOOKS) {
  test(`menus in ${mode}`, LONG_LOOK, async ({ browser, server }) => {
    const options = windowOf(mode, { width: 390, height: 740 });
    const context = await browser.newContext({ ...options, baseURL: server.url });
    const page = await context.newPage();
    await logInAsDemo(page);
    const first = page
      .getByRole('list', { name: 'Home' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('link') })
      .first();
    const filters = page.getByRole('group', { name: 'Filter and order' });

    await lookAtMenu(page, filters.getByRole('button', { name: 'Date saved' }), { name: 'menu-order', mode });
    await filters.getByRole('button', { name: 'Tag', exact: true }).click();
    const popover = page.getByRole('dialog', { name: 'Filter by tag' });
    await expectSound(page, popover, { name: 'popover-tag', mode });
    await page.keyboard.press('Escape');
    await expect(popover).toHaveCount(0);

    await first.hover();
    await lookAtMenu(page, first.getByRole('button', { name: /^Actions for/ }), { name: 'menu-row', mode });
    if (mode !== 'phone') {
      await first.getByRole('link').first().click({ button: 'right' });
      await expectSound(page, page.getByRole('menu'), { name: 'menu-right-click', mode });
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toHaveCount(0);
    }

    // The menu of a dialog is part of it: reachable, and its Escape leaves the dialog open.
    await first.getByRole('link').first().click();
    const viewer = page.getByRole('dialog');
    await lookAtMenu(page, viewer.getByRole('button', { name: 'More' }), { name: 'menu-viewer', mode });
    await expect(viewer).toBeVisible();
    await viewer.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /^Move to/ }).click();
    const chooser = page.getByRole('dialog', { name: 'Move to' });
    await expect(chooser.getByRole('option', { name: /^No space/ })).toBeVisible();
    await expect(chooser.getByRole('combobox')).toBeFocused();
    expect(await lookFaults(page, mode)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(chooser).toHaveCount(0);
    await expect(viewer.getByRole('button', { name: 'More' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(viewer).toHaveCount(0);

    if (mode === 'phone') await page.getByRole('button', { name: /^Open the sidebar/ }).click();
    await lookAtMenu(page, page.getByRole('button', { name: /^Workspace .*, switch$/ }), {
      name: 'menu-workspace',
      mode,
    });
    await lookAtMenu(page, page.getByRole('button', { name: /^Account of/ }), { name: 'menu-account', mode });
    if (mode === 'phone') {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    } else {
      // The corner of the sidebar is where the hint of the keyboard's focus has least room.
      await page.getByRole('button', { name: 'Hide the sidebar' }).click();
      await page.getByRole('button', { name: 'Show the sidebar' }).focus();
      await page.keyboard.press('Tab');
      const hint = page.locator('[data-radix-popper-content-wrapper]');
      await expectSound(page, hint, { name: 'hint', mode });
    }

    await page.goto('/demo/threads');
    const thread = page.getByRole('listitem').filter({ hasText: 'Tomatoes next spring' });
    await thread.hover();
    await lookAtMenu(page, thread.getByRole('button', { name: /^Actions for/ }), {
      name: 'menu-thread',
      mode,
    });
    await page.goto('/demo/spaces');
    const card = page.getByRole('list', { name: 'Spaces', exact: true }).getByRole('listitem').first();
    await card.hover();
    await lookAtMenu(page, card.getByRole('button', { name: /^Actions for/ }), { name: 'menu-space', mode });
    await context.close();
  });
}
