// What waits in the extension: the order of sending, what a person adds meanwhile, and what failures mean.
import { describe, expect, it } from 'vitest';
import {
  changeOf,
  failureOf,
  nextToSend,
  withChoices,
  type WaitingChange,
  type WaitingSave,
} from '#client/extension/waiting.ts';
import { newId } from '#shared/ids.ts';

const workspaceId = newId('workspace');
const save = (given: Partial<WaitingSave> = {}): WaitingSave => ({
  kind: 'save',
  account: 'a',
  memoryId: newId('memory'),
  workspaceId,
  url: 'https://shore.example/',
  title: 'Shore',
  html: '<p>',
  isTried: false,
  ...given,
});
const change = (given: Partial<WaitingChange> = {}): WaitingChange => ({
  kind: 'change',
  account: 'a',
  memoryId: newId('memory'),
  workspaceId,
  title: 'Shore',
  ...given,
});

describe('choices made while a page waits', () => {
  it('go into a page that was never sent', () => {
    expect(withChoices(save(), { notes: 'n', tags: ['t'] })).toMatchObject({
      notes: 'n',
      tags: ['t'],
      html: '<p>',
    });
  });

  it('stay apart from one that may have been sent, which must be repeated as it was', () => {
    expect(withChoices(save({ isTried: true }), { notes: 'n' })).toBeUndefined();
  });

  it('reach the memory that the server has, and replace no note that was not seen', () => {
    const id = newId('memory');
    const made = change({ notes: 'new' });
    expect(changeOf(made, { id, isDuplicate: false, notes: 'sent before' })).toMatchObject({
      memoryId: id,
      notes: 'new',
    });
    const known = { id, isDuplicate: true };
    expect(changeOf(made, { ...known, notes: 'old' }).notes).toBe('old\n\nnew');
    expect(changeOf(made, { ...known, notes: 'old, new' }).notes).toBe('old, new');
    expect(changeOf(made, { ...known, notes: null }).notes).toBe('new');
    expect(changeOf(change({ tags: [] }), { ...known, notes: 'old' })).not.toHaveProperty('notes');
  });
});

describe('the next to be sent', () => {
  it('is the first that was not refused', () => {
    const [refused, next] = [save({ problem: 'too large' }), save()];
    expect(nextToSend([refused, next])).toBe(next);
    expect(nextToSend([refused])).toBeUndefined();
  });

  it('is no change of a page that was refused itself', () => {
    const refused = save({ problem: 'no' });
    expect(nextToSend([refused, change({ memoryId: refused.memoryId })])).toBeUndefined();
  });
});

describe('a failure', () => {
  it.each([
    ['no answer', new TypeError('Failed to fetch'), 'later'],
    ['a busy server', { status: 503 }, 'later'],
    ['too many requests', { status: 429 }, 'later'],
    ['the same request under way', { status: 409 }, 'later'],
    ['an ended connection', { status: 401 }, 'signed_out'],
    ['a refusal', { status: 413, detail: 'file: larger than 10 MB' }, { refused: 'file: larger than 10 MB' }],
    ['a refusal without words', { status: 400, message: '400 Bad Request' }, { refused: '400 Bad Request' }],
  ])('by %s', (_what, error, failure) => {
    expect(failureOf(error)).toEqual(failure);
  });
});
