/**
 * A new user who has no mouse: from the start page over a first memory and a first space to the end of the session.
 * After each step it says where the focus is, and what has it shows that it has it.
 */
import type { Locator, Page } from '@playwright/test';
import { newId } from '#shared/ids.ts';
import { expect, test } from './support/stories.ts';

/** What shows that something has the focus: an outline on it or around it, or a line in the colour of focus. */
function isMarked(element: Element): boolean {
  const probe = document.createElement('i');
  probe.style.color = 'var(--primary)';
  document.body.append(probe);
  const focus = getComputedStyle(probe).color;
  probe.remove();
  const isRing = (style: CSSStyleDeclaration) =>
    (style.outlineStyle !== 'none' &&
      style.outlineColor === focus &&
      Number.parseFloat(style.outlineWidth) >= 1) ||
    (style.borderBottomColor === focus && Number.parseFloat(style.borderBottomWidth) >= 1);
  // Links that cover an item draw the ring around all of it.
  if (isRing(getComputedStyle(element, '::after'))) return true;
  const around = [element, element.parentElement, element.parentElement?.parentElement];
  return around.some((part) => part instanceof Element && isRing(getComputedStyle(part)));
}

/** The focus is on it, visibly. */
async function expectFocus(target: Locator): Promise<void> {
  await expect(target).toBeFocused();
  await expect.poll(() => target.evaluate(isMarked)).toBe(true);
}

/** Presses Tab until the target has the focus, as a person does who sees it on the screen. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let pressed = 0; pressed < 40 && !(await isThere()); pressed += 1) await page.keyboard.press(key);
  await expectFocus(target);
}

test('a new user gets from the start page to the end of the session by keyboard alone @long', async ({
  page,
  server,
}) => {
  const { keyboard } = page;
  const word = newId('user').slice(-6);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });

  await page.goto(server.url);
  await tabTo(page, page.getByRole('link', { name: 'Sign up' }));
  await keyboard.press('Enter');
  const access = page.getByRole('dialog', { name: 'Get early access' });
  await expectFocus(access.getByLabel('E-mail'));
  await tabTo(page, access.getByRole('link', { name: 'Already have an account? Log in' }));
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login$/);
  await tabTo(page, page.getByRole('link', { name: 'Sign up' }));
  await keyboard.press('Enter');
  await expectFocus(page.getByLabel('E-mail'));
  await keyboard.type(`tabea-${word}@example.org`);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await keyboard.type('a long enough sentence');
  await keyboard.press('Enter');

  await expect(heading('Confirm your e-mail address')).toBeVisible();
  await expectFocus(page.getByLabel('Code'));
  await tabTo(page, page.getByRole('link', { name: 'Skip this step' }));
  await keyboard.press('Enter');

  await expectFocus(page.getByLabel('First name'));
  await keyboard.type('Tabea');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Address')).toHaveValue('tabeas-memories');
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await keyboard.press('Control+a');
  await keyboard.type(`Without ${word}`);
  await expect(page.getByLabel('Address')).toHaveValue(`without-${word}`);
  await keyboard.press('Enter');
  await expect(page).toHaveURL(`${server.url}/without-${word}`);
  await expect(heading('Home')).toBeFocused();

  await keyboard.press('c');
  const sheet = page.getByRole('dialog', { name: 'Save a memory' });
  await expectFocus(sheet.getByRole('textbox', { name: 'Save a memory' }));
  await keyboard.type('# Tab order\n\nFollows what one reads.');
  await keyboard.press('Control+Enter');
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('link', { name: 'Tab order' })).toBeVisible();
  await expect(heading('Home')).toBeFocused();

  await keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await expectFocus(palette.getByRole('combobox'));
  await keyboard.type('what one reads');
  const found = palette.getByRole('option', { name: /Tab order/ });
  await expect(found).toHaveAttribute('aria-selected', 'true');
  await keyboard.press('Enter');
  const viewer = page.getByRole('dialog', { name: 'Tab order' });
  await expect(viewer).toBeFocused();
  await keyboard.press('e');
  const notes = viewer.getByRole('textbox', { name: 'Notes in Markdown' });
  await expectFocus(notes);
  await keyboard.press('Control+End');
  await keyboard.type(' So does the eye.');
  await tabTo(page, viewer.getByRole('button', { name: 'Tag', exact: true }));
  await keyboard.press('Enter');
  const tags = page.getByRole('dialog', { name: 'Tags' });
  await expectFocus(tags.getByRole('combobox', { name: 'Tags' }));
  await keyboard.type('keyboard');
  await expect(tags.getByRole('option', { name: 'Create “keyboard”' })).toBeVisible();
  await keyboard.press('Enter');
  await expect(tags.getByRole('option', { name: 'keyboard', selected: true })).toBeVisible();
  await keyboard.press('Escape');
  await expectFocus(viewer.getByRole('button', { name: 'Tag', exact: true }));
  await expect(viewer.getByText('keyboard', { exact: true })).toBeVisible();
  await keyboard.press('Escape');
  await expectFocus(page.getByRole('link', { name: 'Tab order' }));

  // In one go: the second key has to follow within 800 ms.
  await keyboard.type('gp');
  await expect(heading('Spaces')).toBeFocused();
  await tabTo(page, page.getByRole('main').getByRole('button', { name: 'New space' }));
  await keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'New space' });
  await expectFocus(form.getByLabel('Name'));
  await keyboard.type('Reading order');
  await expect(form.getByLabel('Address')).toHaveValue('reading-order');
  await keyboard.press('Enter');
  await expect(heading('Reading order')).toBeFocused();
  const add = page.getByRole('button', { name: 'Add memories' }).first();
  await tabTo(page, add);
  await keyboard.press('Enter');
  const picker = page.getByRole('dialog');
  await expectFocus(picker.getByRole('combobox'));
  await keyboard.type('Tab');
  await expect(picker.getByRole('option', { name: 'Tab order' })).toBeVisible();
  await keyboard.press('Enter');
  await expect(picker.getByRole('option', { name: 'Tab order', selected: true })).toBeVisible();
  await tabTo(page, picker.getByRole('button', { name: 'Add memory' }));
  await keyboard.press('Enter');
  await expect(picker).toBeHidden();
  await expectFocus(add);
  const filed = page.getByRole('list', { name: 'Memories in Reading order' });
  await expect(filed.getByRole('link', { name: 'Tab order' })).toBeVisible();

  await keyboard.press('?');
  const guide = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expectFocus(guide.getByRole('searchbox', { name: 'Search shortcuts' }));
  await keyboard.type('settings');
  await expect(guide.getByText('Workspace settings')).toBeVisible();
  await keyboard.press('Escape');
  await expectFocus(add);

  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Account of Tabea' }), 'Shift+Tab');
  await keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await keyboard.press('End');
  const logOut = page.getByRole('menuitem', { name: 'Log out' });
  await expect(logOut).toBeFocused();
  // Entries of a menu are marked by their ground.
  await expect(logOut).toHaveAttribute('data-highlighted', '');
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login\?clear=true$/);
  await tabTo(page, page.getByLabel('E-mail'));
});
