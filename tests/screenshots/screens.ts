/** Which screens are pictured, in this order: where each is, and what a hand does before the picture. */
import type { Page } from '@playwright/test';
import { DEMO } from '#server/seed.ts';

/** One screen; `signedIn` ones show the sample workspace. */
export interface Screen {
  name: string;
  path: string;
  signedIn: boolean;
  /** Words that must be on the screen before the picture is taken. */
  shows: string;
  prepare?: (page: Page) => Promise<void>;
}

const home = `/${DEMO.slug}`;

const openMemory = async (page: Page) => {
  await page.getByRole('link', { name: 'Why a queue needs idempotent jobs' }).click();
  await page.getByRole('dialog').getByText('At-least-once').waitFor();
};

/** The screens of the product that exist. */
export const SCREENS: readonly Screen[] = [
  { name: 'landing', path: '/', signedIn: false, shows: 'Loci' },
  { name: 'docs', path: '/docs', signedIn: false, shows: 'Capture' },
  { name: 'login', path: '/login', signedIn: false, shows: 'Log in' },
  { name: 'signup', path: '/signup', signedIn: false, shows: 'Sign up' },
  { name: 'home', path: home, signedIn: true, shows: 'Welcome to Loci' },
  { name: 'memory', path: home, signedIn: true, shows: 'Welcome to Loci', prepare: openMemory },
  {
    ...{ name: 'editor', path: home, signedIn: true, shows: 'Welcome to Loci' },
    prepare: async (page) => {
      await openMemory(page);
      await page.getByRole('dialog').getByRole('radio', { name: 'Write' }).click();
      await page.getByRole('textbox', { name: 'Notes in Markdown' }).waitFor();
    },
  },
];
