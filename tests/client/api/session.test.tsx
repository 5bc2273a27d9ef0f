/** Who is signed in, as this device remembers it: trusted only while it has the shape that guards build on. */
import { afterEach, expect, it } from 'vitest';
import { COOKIES } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { currentPerson, forgetSession, PERSON_SETTING } from '#client/api/session.ts';
import { rememberedPerson } from '#tests/support/remembered-person.ts';

const person = rememberedPerson();

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
  ['no person', { ...person, user: null }],
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
