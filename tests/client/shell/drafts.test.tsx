/** Text that is saved nowhere else yet is found again at every moment after its key was pressed. */
import { afterEach, expect, it } from 'vitest';
import { dropDraft, findDraft, saveDraft, wipeDrafts } from '#client/shell/drafts.ts';
import { removeUnloadDrafts, saveUnloadDrafts, readUnloadDrafts } from '#client/shell/unload-drafts.ts';

afterEach(() => wipeDrafts());

it('is there before, while and after it is written', async () => {
  const written = saveDraft('place/usr_a', 'half a thought');
  expect((await findDraft('place/usr_a'))?.text).toBe('half a thought');
  expect(await written).toBe(true);
  expect((await findDraft('place/usr_a'))?.text).toBe('half a thought');
});

it('is the newest text while older ones are being written', async () => {
  const writes = ['h', 'ha', 'hal', 'half'].map((text) => saveDraft('place/usr_a', text));
  expect((await findDraft('place/usr_a'))?.text).toBe('half');
  await Promise.all(writes);
  expect((await findDraft('place/usr_a'))?.text).toBe('half');
});

it('is gone once it was dropped', async () => {
  await saveDraft('place/usr_a', 'half a thought');
  await dropDraft('place/usr_a');
  expect(await findDraft('place/usr_a')).toBeUndefined();
});

it('goes with the person, and only theirs', async () => {
  await saveDraft('place/usr_a', 'of a');
  await saveDraft('place/usr_b', 'of b');
  await wipeDrafts((part) => part === 'usr_a');
  expect(await findDraft('place/usr_a')).toBeUndefined();
  expect((await findDraft('place/usr_b'))?.text).toBe('of b');
});

const draft = (key: string, text: string, at: number) => ({ key, text, base: null, at });

it('is stored at once when the page is left before it could be written, and is deleted with the person all the same', async () => {
  const written = saveDraft('place/usr_a', 'half a thought');
  dispatchEvent(new Event('pagehide'));
  expect(readUnloadDrafts()).toMatchObject([{ key: 'place/usr_a', text: 'half a thought' }]);
  await written;
  await wipeDrafts((part) => part === 'usr_a');
  expect(readUnloadDrafts()).toEqual([]);
});

it('left by two pages is the newer one, and what is written is not left again', async () => {
  await saveDraft('place/usr_a', 'written');
  dispatchEvent(new Event('pagehide'));
  expect(readUnloadDrafts()).toEqual([]);
  saveUnloadDrafts([draft('place/usr_a', 'newer', 2), draft('place/usr_b', 'other', 1)]);
  saveUnloadDrafts([draft('place/usr_a', 'older', 1)]);
  expect(readUnloadDrafts()).toMatchObject([{ text: 'newer' }, { text: 'other' }]);
  removeUnloadDrafts(({ key }) => key === 'place/usr_a');
  expect(readUnloadDrafts()).toMatchObject([{ text: 'other' }]);
});

it.each(['', '{', 'null', '7', '[null,7,{"key":1}]', '[{"key":"a","text":"b","base":7,"at":1}]'])(
  'is nothing where another program left %j',
  (value) => {
    localStorage.setItem('loci-late-drafts', value);
    expect(readUnloadDrafts()).toEqual([]);
    localStorage.removeItem('loci-late-drafts');
  },
);
