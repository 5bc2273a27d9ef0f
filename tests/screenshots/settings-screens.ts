/** The screens of the settings, in the order of their links. */
import { HOME, scrollToSection, type Screen } from './screen.ts';

const demo = { viewer: 'demo' } as const;
const settings = `${HOME}/settings`;

export const SETTINGS_SCREENS: readonly Screen[] = [
  { ...demo, name: 'settings', path: settings, shows: 'Where the workspace is found' },
  {
    viewer: 'importer',
    name: 'settings-import',
    path: ({ importer: slug }) => `/${slug}/settings/import`,
    page: 'settings_import',
    shows: 'Import notes and bookmarks',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Download / })
        .first()
        .waitFor();
      await scrollToSection(page, 'Import');
    },
  },
  {
    ...demo,
    name: 'settings-mail',
    path: `${settings}/import`,
    shows: 'Save by e-mail',
    prepare: async (page) => {
      const create = page.getByRole('button', { name: 'Create address' });
      const address = page.getByLabel('Your address');
      // The first picture makes the address that the others show.
      await create.or(address).waitFor();
      if (await create.isVisible()) await create.click();
      await address.waitFor();
      await scrollToSection(page, 'Save by e-mail');
    },
  },
  { ...demo, name: 'settings-account', path: `${settings}/account`, shows: 'Authenticator app' },
  {
    ...demo,
    name: 'settings-sessions',
    path: `${settings}/account`,
    shows: 'Authenticator app',
    prepare: (page) => scrollToSection(page, 'Sessions'),
  },
  {
    ...demo,
    name: 'settings-notifications',
    path: `${settings}/notifications`,
    shows: 'What you are notified of',
  },
  { ...demo, name: 'settings-keyboard', path: `${settings}/keyboard`, shows: 'Enter sends a message' },
  { ...demo, name: 'settings-members', path: `${settings}/members`, shows: 'demo@example.com' },
  { ...demo, name: 'settings-shares', path: `${settings}/shares`, shows: 'Open beyond the workspace' },
  { ...demo, name: 'settings-api-keys', path: `${settings}/api-keys`, shows: 'Reading list script' },
  {
    ...demo,
    name: 'settings-api-keys-new',
    path: `${settings}/api-keys/new`,
    shows: 'New API key',
    prepare: async (page) => {
      await page.getByRole('dialog').getByLabel('Name').fill('Weekly digest');
    },
  },
  { ...demo, name: 'settings-apps', path: `${settings}/apps`, shows: 'Paper Reader' },
  { ...demo, name: 'settings-webhooks', path: `${settings}/webhooks`, shows: 'hooks.example.com' },
  {
    ...demo,
    name: 'settings-feeds',
    path: `${settings}/import`,
    shows: 'No feeds',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Follow a feed' }).click();
      await page.getByRole('dialog').getByLabel('Address').fill('https://blog.example.com');
    },
  },
  { ...demo, name: 'settings-audit', path: `${settings}/audit`, shows: 'API key created' },
  { ...demo, name: 'settings-usage', path: `${settings}/usage`, shows: 'There are no limits here.' },
];
