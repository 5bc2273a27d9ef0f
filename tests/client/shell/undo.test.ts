/** Taking back: the newest first, each once, by key or by the button of its toast. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { toastStore } from '#client/shell/toasts.ts';
import { clearUndo, pushUndo, runUndo, showUndoToast, undoable, undoLast } from '#client/shell/undo.ts';

beforeEach(() => {
  clearUndo();
  toastStore.set([]);
});

describe('undo', () => {
  it('takes back the newest act first and each only once', () => {
    const taken: string[] = [];
    pushUndo(() => void taken.push('first'));
    pushUndo(() => void taken.push('second'));
    expect([undoLast(), undoLast(), undoLast()]).toEqual([true, true, false]);
    expect(taken).toEqual(['second', 'first']);
  });

  it('by the button of an older toast leaves the newer acts to mod+Z', () => {
    const taken: string[] = [];
    const first = pushUndo(() => void taken.push('first'));
    pushUndo(() => void taken.push('second'));
    expect(runUndo(first)).toBe(true);
    expect(runUndo(first)).toBe(false);
    undoLast();
    expect(taken).toEqual(['first', 'second']);
  });

  it('offers Undo in the toast on the same stack', () => {
    const undo = vi.fn<() => void>();
    showUndoToast('Archived', undo);
    const action = toastStore.get()[0]?.actions[0];
    expect(action?.label).toBe('Undo');
    action?.run();
    expect(undo).toHaveBeenCalledTimes(1);
    expect(undoLast()).toBe(false);
  });

  it('waits for an act that is under way, and leaves the one before alone', async () => {
    const taken: string[] = [];
    const acting = Promise.withResolvers<boolean>();
    pushUndo(() => void taken.push('before'));
    const isDone = undoable({
      act: () => acting.promise,
      undo: () => void taken.push('under way'),
      title: 'Archived',
    });
    expect(undoLast()).toBe(true);
    expect(taken).toEqual([]);
    acting.resolve(true);
    expect(await isDone).toBe(true);
    await expect.poll(() => taken).toEqual(['under way']);
    // It is taken back already, so no toast offers that.
    expect(toastStore.get()).toEqual([]);
  });

  it('does not stand for an act that failed', async () => {
    const undo = vi.fn<() => void>();
    expect(await undoable({ act: async () => false, undo, title: 'Archived' })).toBe(false);
    await expect(undoable({ act: () => Promise.reject(new Error('no')), undo })).rejects.toThrow('no');
    expect(undoLast()).toBe(false);
    expect([undo.mock.calls, toastStore.get()]).toEqual([[], []]);
  });

  it('by key closes the toast that offered it, and no other', () => {
    const taken: string[] = [];
    showUndoToast('Archived', () => void taken.push('archived'));
    showUndoToast('Deleted', () => void taken.push('deleted'));
    undoLast();
    expect(taken).toEqual(['deleted']);
    expect(toastStore.get().map(({ title, open }) => [title, open])).toEqual([
      ['Archived', true],
      ['Deleted', false],
    ]);
  });

  it('shows when an action cannot be undone', async () => {
    pushUndo(() => Promise.reject(new Error('gone')));
    undoLast();
    await expect.poll(() => toastStore.get()[0]?.title).toBe('This could not be undone');
  });
});
