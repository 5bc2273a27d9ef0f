/** Text that is saved nowhere else yet is found again at every moment after its key was pressed. */
import { afterEach, expect, it } from 'vitest';
import { dropDraft, findDraft, keepDraft, wipeDrafts } from '#client/shell/drafts.ts';

afterEach(() => wipeDrafts());

it('is there before, while and after it is written', async () => {
  const written = keepDraft('place/usr_a', 'half a thought');
  expect((await findDraft('place/usr_a'))?.text).toBe('half a thought');
  expect(await written).toBe(true);
  expect((await findDraft('place/usr_a'))?.text).toBe('half a thought');
});

it('is the newest text while older ones are being written', async () => {
  const writes = ['h', 'ha', 'hal', 'half'].map((text) => keepDraft('place/usr_a', text));
  expect((await findDraft('place/usr_a'))?.text).toBe('half');
  await Promise.all(writes);
  expect((await findDraft('place/usr_a'))?.text).toBe('half');
});

it('is gone once it was dropped', async () => {
  await keepDraft('place/usr_a', 'half a thought');
  await dropDraft('place/usr_a');
  expect(await findDraft('place/usr_a')).toBeUndefined();
});

it('goes with the person, and only theirs', async () => {
  await keepDraft('place/usr_a', 'of a');
  await keepDraft('place/usr_b', 'of b');
  await wipeDrafts((part) => part === 'usr_a');
  expect(await findDraft('place/usr_a')).toBeUndefined();
  expect((await findDraft('place/usr_b'))?.text).toBe('of b');
});
