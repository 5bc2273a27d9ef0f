/** The screens on the way into an account, and those of the people who run a server. */
import type { Screen } from './screen.ts';

const visitor = { viewer: 'visitor' } as const;
const newcomer = { viewer: 'newcomer' } as const;
const staff = { viewer: 'staff' } as const;

/** What the link of a mail carries; these pages send it only when their form is sent. */
const SECRET = 'a'.repeat(43);

export const ACCOUNT_SCREENS: readonly Screen[] = [
  { ...visitor, name: 'signup', path: '/signup', shows: 'Sign up' },
  { ...visitor, name: 'login', path: '/login', shows: 'Log in' },
  { ...visitor, name: 'forgot-password', path: '/forgot-password', shows: 'password' },
  {
    ...visitor,
    name: 'reset-password',
    path: `/reset-password#token=${SECRET}`,
    shows: 'Choose a new password',
  },
  {
    viewer: 'starter',
    name: 'profile',
    path: '/onboarding/profile',
    shows: 'What is your name?',
    prepare: async (page) => {
      await page.getByLabel('First name').fill('Ada');
      await page.getByLabel('Last name').fill('Lovelace');
    },
  },
  {
    ...newcomer,
    name: 'verify-email',
    path: '/onboarding/verify-email',
    shows: 'Confirm your e-mail address',
  },
  {
    ...newcomer,
    name: 'create-workspace',
    path: '/onboarding/create-workspace',
    shows: 'Create a workspace',
    prepare: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Difference Engine');
    },
  },
  {
    ...newcomer,
    name: 'invitation',
    path: ({ invite }) => invite,
    page: 'accept_invite',
    shows: 'Accept invitation',
  },
  {
    viewer: 'demo',
    name: 'consent',
    path: ({ consent }) => consent(),
    page: 'oauth_consent',
    shows: 'Allow access',
  },
  { ...visitor, name: 'confirm-news', path: `/_news#confirm=${SECRET}`, shows: 'Product updates' },
  { ...visitor, name: 'unsubscribe', path: `/_unsubscribe/workspace.${SECRET}`, shows: 'Turn e-mails off?' },
  { ...staff, name: 'staff', path: '/admin', shows: 'Early access' },
  {
    ...staff,
    name: 'staff-access',
    path: '/admin',
    shows: 'Early access',
    prepare: async (page) => {
      await page.getByLabel('Reason').fill('Ticket 4711: the import does not end');
      await page.getByRole('button', { name: 'View account' }).scrollIntoViewIfNeeded();
    },
  },
  {
    ...staff,
    name: 'impersonation',
    path: ({ impersonation }) => impersonation(),
    page: 'impersonate',
    shows: 'viewing as',
    prepare: async (page) => {
      await page.getByRole('list', { name: 'Home' }).getByRole('link').first().waitFor();
    },
  },
];
