/** Which texts are e-mail addresses, and when two of them are the same one. */
import { describe, expect, it } from 'vitest';
import { email } from '#shared/define/fields.ts';
import { emailProblem, normalizeEmail } from '#shared/email-address.ts';
import { cpuMs } from '#tests/support/cpu-time.ts';

describe('an address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    [' Ada.Lovelace+notes@Example.COM ', 'Ada.Lovelace+notes@example.com'],
    ["o'neil@example.co.uk", "o'neil@example.co.uk"],
    ['jörg@example.com', 'jörg@example.com'],
    ['JÖRG@example.com', 'jörg@example.com'],
    ['jo\u0308rg@example.com', 'jörg@example.com'],
    ['info@müller.de', 'info@xn--mller-kva.de'],
    ['info@MÜLLER.de', 'info@xn--mller-kva.de'],
    ['info@xn--mller-kva.de', 'info@xn--mller-kva.de'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['अजय@डाटा.भारत', 'अजय@xn--c2bd1gb.xn--h2brj9c'],
    ['quiz@例子。广告', 'quiz@xn--fsqu00a.xn--4rr70v'],
  ])('%s is %s', (typed, normal) => {
    expect([normalizeEmail(typed), emailProblem(typed), email.parse(typed)]).toEqual([
      normal,
      undefined,
      normal,
    ]);
    expect(normalizeEmail(normal)).toBe(normal);
  });

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'a b@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    "ada'@example.com",
    'ada@127.0.0.1',
    'ada@[::1]',
    'ada@1.2.3',
    'ada@exa_mple.com',
    'ada@-example.com',
    'ada@example.com.',
    'ada@.com',
    'ada@example..com',
    'ada@example.com/path',
    'ada@example.com:25',
    'ada\0@example.com',
    'ada‮@example.com',
    'ada\ud800@example.com',
    'ada@exam​ple.com',
    '<ada@example.com>',
    '"ada"@example.com',
    'ada@xn--.com',
    `${'a'.repeat(250)}@example.com`,
  ])('%j is none', (typed) => {
    expect([normalizeEmail(typed), emailProblem(typed)]).toEqual([undefined, 'Invalid email']);
    expect(email.safeParse(typed).success).toBe(false);
  });

  it('that is missing is required', () => {
    expect([emailProblem(undefined), emailProblem('  ')]).toEqual(['Required', 'Required']);
  });

  it('is judged at once however long and winding it is', () => {
    const judge = () => {
      for (const piece of ['a', 'ä', '.', '-', '@', 'a.', 'a@', "'", 'a-']) {
        const long = piece.repeat(200_000);
        expect(normalizeEmail(`${long}@${long}`)).toBeUndefined();
        expect(normalizeEmail(`${piece.repeat(100)}@${piece.repeat(100)}!`)).toBeUndefined();
      }
    };
    expect(cpuMs(judge)).toBeLessThan(1_000);
  });
});
