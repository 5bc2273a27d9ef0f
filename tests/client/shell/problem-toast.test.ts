/** The toasts for failed calls, with their exact texts. */
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { toastStore } from '#client/shell/toasts.ts';

const FALLBACK = 'Something went wrong, please try again or contact support.';

function shown(thrown: unknown) {
  showProblem(thrown);
  return toastStore.get().map(({ kind, title, description }) => ({ kind, title, description }));
}

beforeEach(() => toastStore.set([]));

describe('a failed call', () => {
  it('with an error object is a warning with its message and detail', () => {
    const failure = {
      status: 409,
      error: { message: 'Conflict', detail: 'This name is taken', code: 'conflict' },
    };
    expect(shown(failure)).toEqual([
      { kind: 'warning', title: 'Conflict', description: 'This name is taken' },
    ]);
  });

  it.each([{ status: 500, error: {} }, { status: 502 }])(
    'without words falls back to the two fixed texts: %j',
    (failure) => {
      expect(shown(failure)).toEqual([{ kind: 'warning', title: 'Internal error', description: FALLBACK }]);
    },
  );

  it('thrown as an expected failure shows the message of its code and its detail', () => {
    expect(shown(new AppError('conflict', 'This name is taken'))).toEqual([
      { kind: 'warning', title: 'Conflict', description: 'This name is taken' },
    ]);
  });

  it('that is no response of the server is the unknown error, misspelt as specified', () => {
    expect(shown(new TypeError('Failed to fetch'))).toEqual([
      { kind: 'error', title: 'Unkown internal error', description: FALLBACK },
    ]);
  });

  it('that was given up on purpose is silent', () => {
    expect(shown(new DOMException('The user aborted a request.', 'AbortError'))).toEqual([]);
  });

  it('with 401 is silent, because the session ends', () => {
    expect(shown({ status: 401, error: { message: 'Unauthorized', detail: 'No session' } })).toEqual([]);
  });
});
