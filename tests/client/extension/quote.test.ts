// Notes, tags and addresses as the extension reads them.
import { describe, expect, it } from 'vitest';
import { serverOrigin, tagsIn, together } from '#client/extension/quote.ts';

describe('a quote', () => {
  it('stands below what is there', () => {
    expect(together('note\n', '> quote')).toBe('note\n\n> quote');
    expect(together('', '> quote')).toBe('> quote');
  });
});

describe('tags', () => {
  it('are separated by commas, in lower case, each once', () => {
    expect(tagsIn(' Sea, #Rules,, sea , two words')).toEqual(['sea', 'rules', 'two words']);
    expect(tagsIn('')).toEqual([]);
  });
});

describe('the address of a server', () => {
  it.each([
    ['loci.example.com', 'https://loci.example.com'],
    [' https://loci.example.com/some/page ', 'https://loci.example.com'],
    ['localhost:4000', 'http://localhost:4000'],
    ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000'],
    ['[::1]:4000', 'http://[::1]:4000'],
    ['loci.example.com:8443', 'https://loci.example.com:8443'],
  ])('%s is %s', (typed, origin) => {
    expect(serverOrigin(typed)).toBe(origin);
  });

  it.each([
    ['http://loci.example.com', 'Use https'],
    ['http://localhost.evil.example', 'Use https'],
    ['ftp://loci.example.com', 'not the address of a server'],
    ['javascript:alert(1)', 'not the address of a server'],
    ['', 'not the address of a server'],
  ])('%s is refused', (typed, words) => {
    expect(() => serverOrigin(typed)).toThrow(words);
  });
});
