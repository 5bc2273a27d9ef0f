/** Where a person is sent after signing in. */
import { expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { nextStep, stepAfterProof } from '#client/accounts/next-step.ts';

const done = { forename: 'Ada', emailVerified: true };
const acme = { id: newId('workspace'), slug: 'acme', name: 'Acme' };
const home = { id: newId('workspace'), slug: 'home', name: 'Home' };

it('asks for what is missing in the order of the guard', () => {
  expect(nextStep({ user: { ...done, forename: null }, workspaces: [] }, undefined)).toBe(
    '/onboarding/profile',
  );
  expect(nextStep({ user: { ...done, forename: '' }, workspaces: [acme] }, undefined)).toBe(
    '/onboarding/profile',
  );
  expect(nextStep({ user: done, workspaces: [] }, undefined)).toBe('/onboarding/create-workspace');
});

it('asks for the proof of the address first, until there is a workspace or it was put off', () => {
  const user = { forename: null, emailVerified: false };
  expect(nextStep({ user, workspaces: [] }, undefined)).toBe('/onboarding/verify-email');
  expect(stepAfterProof({ user, workspaces: [] }, undefined)).toBe('/onboarding/profile');
  expect(nextStep({ user: { ...user, forename: 'Ada' }, workspaces: [acme] }, undefined)).toBe('/acme');
});

it('leads to the workspace used last, else to the first', () => {
  expect(nextStep({ user: done, workspaces: [acme, home] }, { slug: 'home' })).toBe('/home');
  expect(nextStep({ user: done, workspaces: [acme, home] }, { slug: 'left-long-ago' })).toBe('/acme');
});
