/**
 * Every place and dialog of the dashboard beyond home and the memory viewer, in light, dark and on a phone: it shows what
 * it should and has no accessibility fault.
 */
import type { Browser, Locator, Page } from '@playwright/test';
import { apiAt, sitDown } from '../support/person.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { DEMO } from './support/demo.ts';
import { LONG_LOOK, LOOKS, windowOf, type Look } from './support/looks.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

/** A page with what is asked of every screen on it. */
interface Screens {
  page: Page;
  dialog: Locator;
  look: (name: string) => Promise<void>;
  close: () => Promise<void>;
}

/** A browser of the demo person, logged in, with no page opened yet. */
async function withScreens(
  { browser, server, mode }: { browser: Browser; server: ServerProcess; mode: Look },
  story: (screens: Screens) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ ...windowOf(mode), baseURL: server.url });
  const { result } = await apiAt(server.url)('auth.login', { body: DEMO });
  await sitDown(context, server.url, result);
  const page = await context.newPage();
  const look = (name: string) => lookAt(page, name, mode);
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(page.locator('[role=dialog], [role=alertdialog], [role=menu]')).toHaveCount(0);
  };
  await story({ page, dialog: page.getByRole('dialog'), look, close });
  await context.close();
}

async function threads({ page, dialog, look, close }: Screens): Promise<void> {
  await page.goto('/demo/threads');
  await expect(page.getByRole('link', { name: 'Tomatoes next spring' })).toBeVisible();
  await look('threads');
  await page.getByRole('searchbox', { name: 'Search in threads' }).fill('tomatoes');
  await expect(page.getByRole('list', { name: 'Found threads' })).toContainText('Tomatoes next spring');
  await look('threads-search');
  await page.getByRole('link', { name: 'Tomatoes next spring' }).click();
  await expect(page.getByRole('article').getByText(/When do I sow the tomatoes/)).toBeVisible();
  await expect(page.getByText(/Nothing is sent to a language model/)).toBeVisible();
  await look('thread');
  const acts = page.getByRole('button', { name: 'Actions for Tomatoes next spring' });
  for (const [entry, title, name] of [
    ['Rename…', 'Rename thread', 'thread-rename'],
    ['Share…', /^Share/, 'thread-share'],
    ['Delete…', /^Delete/, 'thread-delete'],
  ] as const) {
    await acts.click();
    await page.getByRole('menuitem', { name: entry }).click();
    await expect(dialog.or(page.getByRole('alertdialog')).filter({ hasText: title })).toBeVisible();
    await look(name);
    await close();
    // The focus comes back a moment after the dialog has gone, and would close a menu opened before.
    await expect(acts).toBeFocused();
  }
  await page.goto('/demo/threads?view=deleted');
  await expect(page.getByText('No deleted threads')).toBeVisible();
  await look('threads-deleted');
  await page.goto('/demo/threads/new');
  await expect(page.getByRole('textbox', { name: 'First message' })).toBeVisible();
  await look('thread-new');

  await page.goto('/demo/capsule');
  await expect(page.getByRole('article')).toBeVisible();
  await look('capsule');
  await page.getByRole('radio', { name: 'List', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Coming back today' })).toBeVisible();
  await look('capsule-list');
}

async function spaces({ page, dialog, look, close }: Screens): Promise<void> {
  await page.goto('/demo/spaces');
  await expect(page.getByRole('link', { name: 'Garden' }).first()).toBeVisible();
  await look('spaces');
  await page.getByRole('button', { name: 'New space' }).last().click();
  await expect(dialog).toBeVisible();
  await look('space-create');
  await close();
  await page.goto('/demo/spaces/garden');
  await expect(page.getByRole('list', { name: 'Memories in Garden' })).toBeVisible();
  await look('space');
  const spaceActs = page.getByRole('button', { name: 'Actions for Garden' });
  for (const [entry, name] of [
    ['Edit…', 'space-edit'],
    ['Change cover…', 'space-cover'],
    ['Share…', 'space-share'],
    ['Delete…', 'space-delete'],
  ] as const) {
    await spaceActs.click();
    await page.getByRole('menuitem', { name: entry }).click();
    await expect(dialog.or(page.getByRole('alertdialog'))).toBeVisible();
    await look(name);
    await close();
    await expect(spaceActs).toBeFocused();
  }
  await page.getByRole('button', { name: 'Add memories' }).click();
  await expect(dialog).toBeVisible();
  await look('space-add');
  await close();
}

async function keys({ page, dialog, look, close }: Screens): Promise<void> {
  await page.goto('/demo');
  await expect(page.getByRole('list', { name: 'Home' }).getByRole('link').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /: go to another month$/ }).first()).toBeVisible();
  for (const [key, name] of [
    ['l', 'tags'],
    ['m', 'add-to-space'],
  ] as const) {
    await page.keyboard.press('j');
    await page.keyboard.press(key);
    await expect(dialog).toBeVisible();
    await look(name);
    await close();
    // The focus comes back a moment after the dialog has gone.
    await expect(page.getByRole('list', { name: 'Home' }).locator(':focus')).toHaveCount(1);
  }
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
  await look('notifications');
  await page.keyboard.press('n');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(dialog).toBeVisible();
  await look('shortcuts');
  await close();
  await page.goto(`/demo?memory=mem_${'a'.repeat(32)}`);
  await expect(page.getByRole('dialog', { name: 'Memory not found' })).toBeVisible();
  await look('memory-not-found');
  await page.goto('/demo/spaces/nowhere');
  await expect(page.getByText('Page Not Found: /demo/spaces/nowhere')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await look('space-not-found');
}

async function palette({ page, look }: Screens): Promise<void> {
  await page.goto('/demo');
  await expect(page.getByRole('list', { name: 'Home' }).getByRole('link').first()).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('dialog', { name: 'Search and commands' }).getByRole('combobox');
  for (const [query, name] of [
    ['', 'palette'],
    ['queue', 'palette-found'],
    ['>', 'palette-actions'],
    ['/', 'palette-spaces'],
    ['#', 'palette-tags'],
    ['?', 'palette-ask'],
  ] as const) {
    await field.fill(query);
    await expect(page.getByRole('option').first()).toBeVisible();
    await look(name);
  }
  await field.fill('queue');
  await expect(page.getByRole('option').first()).toContainText('queue');
  await page.getByRole('option', { name: /as a list$/ }).click();
  await expect(page.getByRole('list', { name: 'Found memories' })).toBeVisible();
  await expect(page).toHaveURL(/\/demo\?q=queue$/);
  await look('results');
}

/** Apart, so that each has time enough on a slow machine, and one that fails says where. */
const STORIES = {
  'threads and the capsule': threads,
  spaces,
  'what keys open at home': keys,
  'the palette': palette,
};

for (const mode of LOOKS) {
  for (const [places, story] of Object.entries(STORIES)) {
    test(`places and dialogs in ${mode}: ${places}`, LONG_LOOK, async ({ browser, server }) => {
      await withScreens({ browser, server, mode }, story);
    });
  }
}
