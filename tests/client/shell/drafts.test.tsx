/** Text that is saved nowhere else yet is found again at every moment after its key was pressed. */
import { afterEach, expect, it } from 'vitest';
import { dropDraft, findDraft, keepDraft, wipeDrafts } from '#client/shell/drafts.ts';
import { forgetLateDrafts, keepLateDrafts, lateDrafts } from '#client/shell/late-drafts.ts';

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

const draft = (key: string, text: string, at: number) => ({ key, text, base: null, at });

it('is kept at once when the page is left before it could be written, and goes with the person all the same', async () => {
  const written = keepDraft('place/usr_a', 'half a thought');
  dispatchEvent(new Event('pagehide'));
  expect(lateDrafts()).toMatchObject([{ key: 'place/usr_a', text: 'half a thought' }]);
  await written;
  await wipeDrafts((part) => part === 'usr_a');
  expect(lateDrafts()).toEqual([]);
});

it('left by two pages is the newer one, and what is written is not left again', async () => {
  await keepDraft('place/usr_a', 'written');
  dispatchEvent(new Event('pagehide'));
  expect(lateDrafts()).toEqual([]);
  keepLateDrafts([draft('place/usr_a', 'newer', 2), draft('place/usr_b', 'other', 1)]);
  keepLateDrafts([draft('place/usr_a', 'older', 1)]);
  expect(lateDrafts()).toMatchObject([{ text: 'newer' }, { text: 'other' }]);
  forgetLateDrafts(({ key }) => key === 'place/usr_a');
  expect(lateDrafts()).toMatchObject([{ text: 'other' }]);
});

it.each(['', '{', 'null', '7', '[null,7,{"key":1}]', '[{"key":"a","text":"b","base":7,"at":1}]'])(
  'is nothing where somebody else left %j',
  (value) => {
    localStorage.setItem('loci-late-drafts', value);
    expect(lateDrafts()).toEqual([]);
    localStorage.removeItem('loci-late-drafts');
  },
);
