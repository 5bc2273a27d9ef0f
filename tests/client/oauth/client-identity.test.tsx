/** Whom the consent page calls verified, and for which workspace. */
import { render } from 'vitest-browser-react';
import { expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { ClientIdentity } from '#client/oauth/client-identity.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';

const [own, other] = [
  { id: newId('workspace'), name: 'Harbour' },
  { id: newId('workspace'), name: 'Garden' },
];
const NOW = new Date().toISOString();
const client = {
  id: newId('oauth_client'),
  name: 'Paper Reader',
  description: null,
  email: null,
  logoUrl: null,
  websiteUrl: null,
  privacyPolicyUrl: null,
  termsOfServiceUrl: null,
  created: NOW,
  updated: NOW,
};
const WARNING = /Loci has not verified this app/;

it.each([
  ['no one', false, null, own, 'Unverified'],
  ['staff', true, null, other, 'Verified'],
  ['the owners of the chosen workspace', false, own.id, own, 'Verified by the owners of Harbour'],
  ['the owners of another workspace', false, own.id, other, 'Unverified'],
] as const)('an app verified by %s', async (_name, verified, verifiedIn, workspace, badge) => {
  const request = { client: { ...client, verified }, redirectTarget: 'reader.example', verifiedIn };
  const screen = await render(<ClientIdentity request={request} workspace={workspace} />);
  await expect.element(screen.getByText(badge, { exact: true })).toBeVisible();
  expect(screen.getByText(WARNING).elements()).toHaveLength(badge === 'Unverified' ? 1 : 0);
  expect(await accessibilityFaults()).toEqual([]);
});
