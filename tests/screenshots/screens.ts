/** Which screens are pictured, in this order: where each is, and what a hand does before the picture. */
import type { Page } from '@playwright/test';
import { DEMO } from '#server/seed.ts';
import { zipOf } from '../support/zip.ts';
import { ACCOUNT_SCREENS } from './account-screens.ts';
import { HOME, type Screen } from './screen.ts';
import { SETTINGS_SCREENS } from './settings-screens.ts';

const garden = `${HOME}/spaces/garden`;
const shared = `${HOME}/spaces/reading-list`;

const openMemory = async (page: Page) => {
  await page.getByRole('link', { name: 'Why a queue needs idempotent jobs' }).click();
  await page.getByRole('dialog').getByText('At-least-once').waitFor();
};

const openSidebar = async (page: Page) => {
  const drawer = page.getByRole('button', { name: 'Open the sidebar' });
  await drawer
    .or(page.getByRole('button', { name: /^Sync: / }))
    .first()
    .waitFor();
  if (await drawer.isVisible()) await drawer.click();
};

const visitor = { viewer: 'visitor' } as const;
const demo = { viewer: 'demo' } as const;
const newcomer = { viewer: 'newcomer' } as const;

const PUBLIC: readonly Screen[] = [
  { ...visitor, name: 'landing', path: '/', shows: 'Loci' },
  { ...visitor, name: 'pricing', path: '/pricing', shows: 'Pricing' },
  { ...visitor, name: 'explore', path: '/explore', shows: 'Reading list' },
  { ...visitor, name: 'blog', path: '/blog', shows: 'Why local-first' },
  { ...visitor, name: 'post', path: '/blog/how-sync-works', shows: 'min' },
  { ...visitor, name: 'why', path: '/blog/why', shows: 'Why' },
  { ...visitor, name: 'docs', path: '/docs', shows: 'Capture' },
  { ...visitor, name: 'docs-page', path: '/docs/search', shows: 'Search' },
  { ...visitor, name: 'request-access', path: '/request-access', shows: 'access' },
  { ...visitor, name: 'public-workspace', path: `/p/${DEMO.slug}`, shows: 'Reading list' },
  { ...visitor, name: 'public-space', path: `${HOME}/spaces/p/reading-list`, shows: 'Reading list' },
  {
    ...visitor,
    name: 'public-memory',
    path: ({ publicMemory }) => publicMemory,
    page: 'public_memory',
    shows: 'Reading list',
  },
  {
    ...visitor,
    name: 'public-thread',
    path: ({ publicThread }) => publicThread,
    page: 'public_thread',
    shows: 'Seeds',
  },
  { ...visitor, name: 'not-found', path: '/nothing/is/here', shows: 'Page not found' },
];

const SIGNED_IN: readonly Screen[] = [
  { ...demo, name: 'home', path: HOME, shows: 'Welcome to Loci' },
  { ...demo, name: 'memory', path: HOME, shows: 'Welcome to Loci', prepare: openMemory },
  {
    ...demo,
    name: 'editor',
    path: HOME,
    shows: 'Welcome to Loci',
    prepare: async (page) => {
      await openMemory(page);
      await page.getByRole('dialog').getByRole('radio', { name: 'Write' }).click();
      await page.getByRole('textbox', { name: 'Notes in Markdown' }).waitFor();
    },
  },
  {
    ...demo,
    name: 'capture',
    path: HOME,
    shows: 'Welcome to Loci',
    prepare: async (page) => {
      await page.keyboard.press('c');
      await page
        .getByRole('dialog')
        .getByRole('textbox')
        .fill('https://www.inkandswitch.com/local-first/\nhttps://www.postgresql.org/docs/current/');
    },
  },
  {
    ...demo,
    name: 'palette',
    path: HOME,
    shows: 'Welcome to Loci',
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('water');
      await page.getByRole('option', { name: /^Show all/ }).waitFor();
    },
  },
  { ...demo, name: 'spaces', path: `${HOME}/spaces`, shows: 'Garden' },
  { ...demo, name: 'space', path: garden, shows: 'What grows' },
  {
    ...demo,
    name: 'share',
    path: shared,
    shows: 'Reading list',
    prepare: async (page) => {
      const button = page.getByRole('button', { name: /^Share/ }).first();
      if (!(await button.isVisible())) {
        await page.getByRole('button', { name: 'Actions for Reading list' }).click();
        await page.getByRole('menuitem', { name: /^Share/ }).click();
      } else await button.click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { ...demo, name: 'threads', path: `${HOME}/threads`, shows: 'Threads' },
  {
    ...demo,
    name: 'thread',
    path: ({ thread }) => thread,
    page: 'thread',
    shows: 'not in February',
  },
  { ...demo, name: 'thread-new', path: `${HOME}/threads/new`, shows: 'New thread' },
  { ...demo, name: 'tags', path: `${HOME}/tags`, shows: 'Tags' },
  { ...demo, name: 'capsule', path: `${HOME}/capsule`, shows: 'Shuffle' },
  {
    viewer: 'importer',
    name: 'notifications',
    path: ({ importer: slug }) => `/${slug}`,
    page: 'workspace_home',
    shows: 'Home',
    prepare: async (page) => {
      await page.keyboard.press('n');
      await page.getByRole('dialog', { name: 'Notifications' }).getByText('Import finished').waitFor();
    },
  },
  {
    ...demo,
    name: 'sync',
    path: HOME,
    shows: 'Welcome to Loci',
    prepare: async (page) => {
      await openSidebar(page);
      await page.getByRole('button', { name: /^Sync: / }).click();
      await page.getByRole('button', { name: 'Sync now' }).waitFor();
    },
  },
  {
    ...demo,
    name: 'home-grid',
    path: HOME,
    shows: 'Welcome to Loci',
    wideOnly: true,
    prepare: async (page) => {
      await page.getByRole('radio', { name: 'Grid' }).click();
    },
  },
  {
    ...newcomer,
    name: 'empty',
    path: ({ newcomer: slug }) => `/${slug}`,
    page: 'workspace_home',
    shows: 'Save your first memory',
  },
  {
    ...newcomer,
    name: 'import',
    path: ({ newcomer: slug }) => `/${slug}`,
    page: 'workspace_home',
    shows: 'Save your first memory',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Import notes and bookmarks' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import notes' });
      const buffer = await zipOf([
        {
          path: 'kitchen/bread.md',
          bytes: '# Bread',
        },
      ]);
      await dialog.locator('input[type=file]').setInputFiles({
        name: 'notes.zip',
        mimeType: 'application/zip',
        buffer,
      });
    },
  },
];

/** The screens of the product that exist. */
export const SCREENS: readonly Screen[] = [...PUBLIC, ...SIGNED_IN, ...SETTINGS_SCREENS, ...ACCOUNT_SCREENS];
