/** The log keeps no secrets, wherever they stand in what is logged. */
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLog, scrub } from '#server/log.ts';

/** Logs through a real logger and returns what reached the destination. */
function written(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  write(createLog('trace', sink));
  return text;
}

/** An object that refers to itself. */
const ring: { self?: unknown } = {};
ring.self = ring;

it.each([
  ['an API key', 'used sk_abcdefghijkmnop123456789 today'],
  ['a session token', 'ses_abcdefghijkmnopqrstuvwx123 expired'],
  ['a bearer header', 'Authorization: Bearer abcdefghijkmnop123'],
  ['a JWT', 'got eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl'],
  ['an e-mail address', 'mail to ann@example.com failed'],
  ['the password in an address', 'connect postgres://loci:hunter22@127.0.0.1/loci'],
])('removes %s from free text', (_what, text) => {
  const secret = /sk_abc\w+|ses_abc\w+|abcdefghijkmnop123\b|eyJ\S+|ann@example\.com|hunter22/;
  expect(text).toMatch(secret);
  expect(scrub(text)).not.toMatch(secret);
  expect(written((log) => log.info(text))).not.toMatch(secret);
  expect(written((log) => log.info({ a: 1 }, text))).not.toMatch(secret);
  expect(written((log) => log.error({ error: new Error(text) }, 'failed'))).not.toMatch(secret);
});

it('removes fields that hold secrets, one level deep too', () => {
  const text = written((log) => log.info({ password: 'a1', body: { token: 'b2', title: 'kept' } }, 'login'));
  expect(text).not.toMatch(/a1|b2/);
  expect(text).toContain('kept');
});

it('keeps a message on its line', () => {
  expect(
    written((log) => log.info('one\r\n{"level":"fatal","msg":"forged"}'))
      .trim()
      .split('\n'),
  ).toHaveLength(1);
});

it.each([
  ['an object', { code: 7, detail: 'to ann@example.com' }, '{"code":7,"detail":"to [email]"}'],
  ['an object with a message', { name: 'Odd', message: 'broke' }, '{"name":"Odd","message":"broke"}'],
  ['a list', ['a', { b: 1 }], '["a",{"b":1}]'],
  ['a text', 'broke', 'broke'],
  ['an object with a secret', { token: 'a1' }, '{"token":"[secret]"}'],
  ['a ring', ring, 'an object that has no text'],
])('says what was thrown when it was %s', (_what, thrown, text) => {
  const line = JSON.parse(written((log) => log.error({ err: thrown }, 'failed')));
  expect(line).toMatchObject({ err: text });
  const wrapped = JSON.parse(
    written((log) => log.error({ err: new Error('x', { cause: thrown }) }, 'failed')),
  );
  expect(wrapped.err.cause).toBe(text);
});

it('says what an error was: its name, message, code, stack and cause', () => {
  const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { code: '57P01' });
  const line: unknown = JSON.parse(written((log) => log.error({ error }, 'failed')));
  expect(line).toMatchObject({
    level: 'error',
    msg: 'failed',
    error: {
      type: 'Error',
      message: 'outer',
      code: '57P01',
      stack: expect.any(String),
      cause: { message: 'inner' },
    },
  });
});
