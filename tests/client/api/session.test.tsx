/** Who is signed in, as this device remembers it: trusted only while it has the shape that guards build on. */
import { afterEach, expect, it } from 'vitest';
import { COOKIES } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { currentPerson, forgetSession, PERSON_SETTING } from '#client/api/session.ts';

const person = {
  user: {
    ...{ id: newId('user'), source: 'email', githubId: null, googleId: null, forename: 'Ada', surname: null },
    ...{ username: null, email: 'ada@example.com', domain: 'example.com', personal: false },
    ...{ emailVerified: true, created: '2026-01-01T00:00:00.000Z', updated: '2026-01-01T00:00:00.000Z' },
  },
  workspaces: [{ id: newId('workspace'), slug: 'acme', name: 'Acme' }],
  checkedAt: Date.now(),
};

function remember(value: unknown): void {
  document.cookie = `${COOKIES.session}=token; Path=/`;
  localStorage.setItem(PERSON_SETTING, typeof value === 'string' ? value : JSON.stringify(value));
}

afterEach(() => forgetSession());

it('is the remembered person', () => {
  remember(person);
  expect(currentPerson()).toEqual(person);
});

it.each([
  ['no JSON', '{'],
  ['null', null],
  ['a list', []],
  ['nobody', { ...person, user: null }],
  ['a foreign id', { ...person, user: { ...person.user, id: newId('memory') } }],
  ['a number for a name', { ...person, user: { ...person.user, forename: 7 } }],
  ['no list of workspaces', { ...person, workspaces: { length: 1 } }],
  ['a workspace without an address', { ...person, workspaces: [{ id: newId('workspace'), name: 'Acme' }] }],
  ['no time', { ...person, checkedAt: '2026' }],
  ['a word of long ago', { ...person, checkedAt: 0 }],
])('is unknown when the device remembers %s', (_what, value) => {
  remember(value);
  expect(currentPerson()).toBeUndefined();
});
