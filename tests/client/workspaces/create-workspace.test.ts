/** Addresses made of workspace names. */
import { expect, it } from 'vitest';
import { workspaceSlug } from '#shared/workspaces/workspace.ts';
import { suggestSlug } from '#client/workspaces/create-workspace-page.tsx';

const NAMES = ['Ada’s memories', 'Ünïcode Ñame', '日本', 'x', 'Docs', 'login', 'a'.repeat(200), 'API'];

it('makes a valid address of any name', () => {
  expect(NAMES.filter((name) => !workspaceSlug.safeParse(suggestSlug(name)).success)).toEqual([]);
  expect(suggestSlug('Ada’s memories')).toBe('adas-memories');
  expect(suggestSlug('Docs')).toBe('docs-space');
});

it('suggests nothing for no name', () => {
  expect(suggestSlug('  ')).toBe('');
});
