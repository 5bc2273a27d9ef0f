/** Which typed words stand for an action rather than for memories. */
import { expect, it } from 'vitest';
import { namesAction } from '#client/palette/names-action.ts';

const IMPORT = 'Import notes from a zip';

it.each([
  ['import notes', IMPORT, true],
  ['notes import', IMPORT, true],
  ['Import not', IMPORT, true],
  ['import no', IMPORT, true],
  ['import', IMPORT, true],
  ['notes', IMPORT, false],
  ['notes fr', IMPORT, false],
  ['import notes about bread', IMPORT, false],
  ['settings', 'Settings', true],
  ['sett', 'Settings', true],
  ['s', 'Settings', false],
  ['account', 'Settings: Account', false],
  ['', 'Settings', false],
])('%j names the action %j: %s', (text, label, expected) => {
  expect(namesAction(text, label)).toBe(expected);
});
