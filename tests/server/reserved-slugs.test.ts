/** Names at the root of the site that belong to pages and files of the product are no addresses of workspaces. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isReservedSlug } from '#server/workspaces/reserved-slugs.ts';
import { PAGES } from '#shared/pages.ts';

it('every fixed first segment of a page is reserved', () => {
  const segments = Object.values(PAGES).map((page) => page.path.split('/')[1] ?? '');
  const fixed = segments.filter((segment) => segment !== '' && !segment.startsWith(':'));
  expect(fixed.filter((segment) => !isReservedSlug(segment))).toEqual([]);
});

it('every file and folder at the root of the site is reserved, such as screenshots', () => {
  const names = readdirSync(path.resolve(import.meta.dirname, '../../client/public'));
  expect(names.filter((name) => !isReservedSlug(path.parse(name).name))).toEqual([]);
  expect(isReservedSlug('screenshots')).toBe(true);
});

it('other names are free', () => {
  expect(['harbour', 'screenshots-2', 'my-docs'].filter(isReservedSlug)).toEqual([]);
});
