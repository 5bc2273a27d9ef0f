// Browser extensions as clients: their scripts have another origin than their redirect address, with the same id.
import { expect, it } from 'vitest';
import { isOriginOf, originsOf } from '#shared/oauth/redirect-uri.ts';

const ID = 'nghoggcnhohjnbaigipfjjjdckghcghb';

it('is the one whose id the redirect address carries, and no other', () => {
  expect(originsOf(`https://${ID}.chromiumapp.org/`)).toContain(`chrome-extension://${ID}`);
  for (const uri of [
    `http://${ID}.chromiumapp.org/`,
    `https://${ID}.chromiumapp.org.evil.example/`,
    `https://${ID}.chromiumapp.org:8443/`,
    `https://x.${ID}.chromiumapp.org/`,
    `https://${ID}x.chromiumapp.org/`,
    'https://reader.example/callback',
  ])
    expect(originsOf(uri).filter((origin) => origin.startsWith('chrome-extension:'))).toEqual([]);
  expect(originsOf('nothing')).toEqual([]);
});

it('of Firefox is any of its random ones, for a client whose answers go to an extension', () => {
  const origin = 'moz-extension://0f2b9f6e-5c0a-4d3c-9a51-3f1d5a3e7c21';
  const uri = `https://${'a1'.repeat(20)}.extensions.allizom.org/`;
  expect(isOriginOf(uri, origin)).toBe(true);
  expect(isOriginOf(uri, 'https://evil.example')).toBe(false);
  expect(isOriginOf(uri, 'moz-extension://')).toBe(false);
  for (const other of [
    'https://reader.example/',
    `https://${ID}.chromiumapp.org/`,
    `${uri.slice(0, -1)}.evil.example/`,
  ])
    expect(isOriginOf(other, origin)).toBe(false);
  expect(isOriginOf('app.example:/back', 'null')).toBe(false);
});
