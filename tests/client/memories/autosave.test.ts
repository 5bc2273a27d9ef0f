/** A text that saves itself: when it is sent, what happens to refused words, and which version an edit builds on. */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AUTOSAVE_MS, createAutosave, type AutosaveTarget } from '#client/memories/autosave.ts';
import { findDraft, saveDraft, wipeDrafts } from '#client/shell/drafts.ts';
import { waitFor } from '../../support/wait-for.ts';

const KEY = 'memory/mem_1/notes';
type Save = AutosaveTarget['save'];

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(async () => {
  vi.useRealTimers();
  await wipeDrafts();
});

function start(save: Save, stored = 'before') {
  return createAutosave(KEY, { stored, version: 'v1', save });
}

describe('a self-saving text', () => {
  it('waits for a pause in typing and saves once, on the version that editing began with', async () => {
    const save = vi.fn<Save>(async () => ({ version: 'v2' }));
    const text = start(save);
    text.change('a');
    vi.advanceTimersByTime(AUTOSAVE_MS - 1);
    text.change('ab');
    text.aim({ stored: 'someone else', version: 'v1b', save });
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS);
    expect(save.mock.calls).toEqual([['ab', 'v1']]);
    await waitFor(() => expect(text.typed.get()).toBeUndefined());
  });

  it('does not save what was typed back to what is stored', async () => {
    const save = vi.fn<Save>(async () => ({ version: 'v2' }));
    const text = start(save);
    text.change('other');
    text.change('before');
    await text.flush();
    expect(save).not.toHaveBeenCalled();
    expect(text.typed.get()).toBeUndefined();
  });

  it('bases the next edit on what was just saved when the person continues typing', async () => {
    let finish: (saved: { version: string }) => void = () => undefined;
    const save = vi.fn<Save>(() => new Promise((resolve) => (finish = resolve)));
    const text = start(save);
    text.change('one');
    const first = text.flush();
    text.change('one two');
    finish({ version: 'v2' });
    await first;
    expect(text.typed.get()).toBe('one two');
    const second = text.flush();
    finish({ version: 'v3' });
    await second;
    expect(save.mock.calls).toEqual([
      ['one', 'v1'],
      ['one two', 'v2'],
    ]);
  });

  it('leaves a refused text on screen and stores it as a draft', async () => {
    const text = start(async () => undefined);
    text.change('precious');
    await text.flush();
    expect(text.typed.get()).toBe('precious');
    expect(await findDraft(KEY)).toMatchObject({ text: 'precious', base: 'v1' });
  });

  it('forgets the draft once the text is saved', async () => {
    const text = start(async () => ({ version: 'v2' }));
    text.change('kept');
    await text.flush();
    expect(await findDraft(KEY)).toBeUndefined();
  });

  it('takes up what an earlier visit could not save, with its old version', async () => {
    await saveDraft(KEY, 'from the crash', 'v0');
    const save = vi.fn<Save>(async () => ({ version: 'v2' }));
    const text = start(save);
    await text.resume();
    expect(text.typed.get()).toBe('from the crash');
    await text.flush();
    expect(save.mock.calls).toEqual([['from the crash', 'v0']]);
  });
});
