/** The words of the error page and of the title. */
import { describe, expect, it } from 'vitest';
import { failureMessage } from '#client/shell/page-failure.ts';
import { formatTitle } from '#client/shell/page-title.ts';

describe('the words of the error page', () => {
  it('for an unknown address are fixed, with the message that names it', () => {
    const failure = { statusCode: 404, statusMessage: 'Not found', message: 'Page Not Found: /nowhere' };
    expect(failureMessage(failure)).toEqual({
      title: 'Page not found',
      description: 'We are sorry but this page could not be found.',
      message: 'Page Not Found: /nowhere',
    });
  });

  it('leave out a message that only repeats the status message', () => {
    expect(
      failureMessage({ statusCode: 403, statusMessage: 'Forbidden', message: 'Forbidden' }).message,
    ).toBeUndefined();
  });

  it('for another failure are its status message and the server’s detail', () => {
    const failure = {
      statusCode: 429,
      statusMessage: 'Too Many Requests',
      message: 'Try again in 9 seconds',
    };
    expect(failureMessage(failure)).toEqual({
      title: 'Too Many Requests',
      description: 'Try again in 9 seconds',
      message: undefined,
    });
  });

  it('for a fault are the fixed fallback', () => {
    expect(failureMessage({ statusCode: 500 })).toEqual({
      title: 'Internal error',
      description: 'Something went wrong, please try again or contact support.',
      message: undefined,
    });
  });
});

describe('the title template', () => {
  it('puts the product after a pipe', () => {
    expect(formatTitle('Spaces')).toBe('Spaces | Loci');
    expect(formatTitle(undefined)).toBe('Loci');
  });
});
