// The one sentence of the sync indicator: the most urgent fact wins.
import { expect, it } from 'vitest';
import {
  deriveStatus,
  INITIAL_FACTS,
  withFiles,
  type Problem,
  type RealmFacts,
} from '#client/replica/status.ts';

const NOW = 1_000_000;
const calm: RealmFacts = { ...INITIAL_FACTS, loaded: true, counted: true, pulledAt: NOW - 10 };
const problem: Problem = {
  id: 'a/1',
  realmId: 'ws',
  name: 'memory.create',
  args: {},
  code: 'forbidden',
  message: 'No',
  at: '2026-01-01T00:00:00.000Z',
  source: 'refused',
};
const stateOf = (facts: Partial<RealmFacts>, problems: readonly Problem[] = []) =>
  deriveStatus([calm, { ...calm, ...facts }], problems).state;

it.each([
  ['synced when nothing waits', {}, 'synced'],
  ['syncing before the first answer', { pulledAt: undefined }, 'syncing'],
  ['syncing before what earlier pages left is counted', { counted: false }, 'syncing'],
  ['syncing while a change is not on the device yet', { pendingCount: 1, unsaved: 1 }, 'syncing'],
  ['syncing while it is being sent', { pendingCount: 1, pushing: true }, 'syncing'],
  ['saved here as soon as the device has it', { pendingCount: 1 }, 'saved-here'],
  ['not saved here while nothing is stored', { pendingCount: 1, storage: 'full' }, 'syncing'],
  ['offline when the server cannot be reached', { online: false, pendingCount: 3 }, 'offline'],
  ['update when the app is too old', { online: false, updateNeeded: true }, 'update'],
  ['sign in when the session ended', { unauthorized: true, updateNeeded: true }, 'sign-in'],
] as const)('says %s', (_what, facts, expected) => {
  expect(stateOf(facts)).toBe(expected);
});

it('shows problems and their number before it shows offline', () => {
  const status = deriveStatus([{ ...calm, online: false, pendingCount: 5 }], [problem]);
  expect(status).toMatchObject({ state: 'attention', count: 1, waiting: 5 });
});

it('shows the worst result of the comparisons with the server, and the newest of those', () => {
  const driftOf = (...drifts: RealmFacts['drift'][]) =>
    deriveStatus(
      drifts.map((drift) => ({ ...calm, drift })),
      [],
    ).drift;
  const healed = { state: 'healed', at: NOW } as const;
  expect(driftOf(undefined, undefined)).toBeUndefined();
  expect(driftOf({ ...healed, at: NOW - 1 }, healed, undefined)).toEqual(healed);
  expect(driftOf(healed, { state: 'healing', at: 1 })).toEqual({ state: 'healing', at: 1 });
  expect(driftOf(healed, { state: 'healing', at: 1 }, { state: 'differs', at: 2 })?.state).toBe('differs');
});

it('shows the worst state of storage and the newest response of all realms', () => {
  const status = deriveStatus([calm, { ...calm, storage: 'full', pulledAt: NOW }], []);
  expect(status).toMatchObject({ storage: 'full', lastSyncedAt: NOW });
});

it.each([
  ['saved here while a file waits on the device', {}, ['waiting', true], 'saved-here'],
  ['not saved here while a file is in memory only', {}, ['waiting', false], 'syncing'],
  ['syncing while a file is sent', {}, ['sending', true], 'syncing'],
  ['offline before what waits', { online: false }, ['waiting', true], 'offline'],
  ['attention for a refused file', { online: false }, ['refused', true], 'attention'],
  ['sign in before a refused file', { unauthorized: true }, ['refused', true], 'sign-in'],
] as const)('says %s', (_what, facts, [state, isStored], expected) => {
  const status = withFiles(deriveStatus([{ ...calm, ...facts }], []), [{ state, isStored }]);
  expect(status).toMatchObject({ state: expected, count: 1, waiting: 1 });
});

it('counts files beside changes, and refused files beside refused changes', () => {
  const file = { state: 'waiting', isStored: true } as const;
  const changes = deriveStatus([{ ...calm, pendingCount: 2 }], []);
  expect(withFiles(changes, [file])).toMatchObject({ state: 'saved-here', count: 3, waiting: 3 });
  const refusals = deriveStatus([calm], [problem]);
  expect(withFiles(refusals, [file, { ...file, state: 'refused' }])).toMatchObject({ count: 2, waiting: 2 });
});
