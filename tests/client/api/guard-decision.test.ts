// Who may see which page: every rule, in its order.
import { describe, expect, it } from 'vitest';
import { guardDecision } from '#client/api/guard-decision.ts';
import type { GuardPerson } from '#client/api/onboarding-step.ts';
import { awayFromLogin, safeRedirect, workspaceOf } from '#client/api/return-decision.ts';

const done: GuardPerson = { forename: 'Ada', emailVerified: true, workspaceSlugs: ['acme'] };
const visit = { guard: 'login', target: '/acme/spaces?tag=a#b', workspaceSlug: 'acme' } as const;

describe('a page that needs a login', () => {
  it('sends a signed-out visitor to the login and back to the full address afterwards', () => {
    expect(guardDecision({ ...visit, person: undefined })).toEqual({
      go: 'redirect',
      to: '/login?redirect=%2Facme%2Fspaces%3Ftag%3Da%23b',
    });
  });

  it.each([
    ['a missing name', { forename: null, workspaceSlugs: [] }, '/onboarding/profile'],
    ['an empty name', { forename: '' }, '/onboarding/profile'],
    [
      'an unproven address without a workspace',
      { forename: null, emailVerified: false, workspaceSlugs: [] },
      '/onboarding/verify-email',
    ],
    ['no workspace at all', { workspaceSlugs: [] }, '/onboarding/create-workspace'],
  ])('leads %s to its step of the onboarding', (_what, facts, to) => {
    expect(guardDecision({ ...visit, person: { ...done, ...facts } })).toEqual({ go: 'redirect', to });
  });

  it('of a workspace of others looks like one that does not exist', () => {
    expect(guardDecision({ ...visit, workspaceSlug: 'others', person: done })).toEqual({ go: 'not-found' });
  });

  it('opens for a member, also before the address is proven', () => {
    for (const emailVerified of [true, false])
      expect(guardDecision({ ...visit, person: { ...done, emailVerified } })).toEqual({ go: 'on' });
  });
});

it('a page for any session opens before the onboarding is done', () => {
  const person = { forename: null, emailVerified: false, workspaceSlugs: [] };
  expect(guardDecision({ ...visit, guard: 'session', person })).toEqual({ go: 'on' });
});

it('a public page opens without a session', () => {
  expect(guardDecision({ ...visit, guard: 'none', person: undefined })).toEqual({ go: 'on' });
});

describe('a redirect', () => {
  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'acme', '', undefined])(
    'to %j is not followed',
    (path) => expect(safeRedirect(path)).toBeUndefined(),
  );

  it('to a path of this site keeps its query and hash', () => {
    expect(safeRedirect('/acme?memory=1#x')).toBe('/acme?memory=1#x');
  });

  it.each([
    ['/acme?memory=1#x', 'acme'],
    ['/acme/settings/members', 'acme'],
    ['/acme/spaces/p/reading', undefined],
    ['/p/acme', undefined],
    ['/oauth/authorize?client_id=x', undefined],
    ['/docs/spaces', undefined],
  ])('to %s is one into the workspace %s', (path, slug) => expect(workspaceOf(path)).toBe(slug));
});

describe('a signed-in visit to the login', () => {
  it.each([
    ['goes to the last workspace', '', 'acme', '/acme'],
    ['goes to the first workspace when the last is gone', '', 'gone', '/acme'],
    ['goes where it came from', '?redirect=%2Facme%2Fthreads', 'acme', '/acme/threads'],
    [
      'goes to the invitation that it came with',
      `?invite=inv_${'a'.repeat(64)}`,
      'acme',
      `/onboarding/invite?invite=inv_${'a'.repeat(64)}`,
    ],
    ['follows no invitation that is none', '?invite=//evil.example', 'acme', '/acme'],
    ['stays when told to clear', '?clear=true', 'acme', undefined],
  ])('%s', (_what, search, lastSlug, expected) => {
    expect(awayFromLogin({ person: done, search, lastSlug })).toBe(expected);
  });
});
