/** Names of files and folders: one style everywhere, none of the words that say nothing, and a fixed top level. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesBelow, GENERATED, ROOMS, ROOT, sourceFiles } from './source-tree.ts';

const TOP_LEVEL = [
  'package.json',
  'client',
  'server',
  'shared',
  'migrations',
  'content',
  'tests',
  'README.md',
  'package-lock.json',
  'tsconfig.json',
];

const EMPTY_WORDS = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'misc',
  'types',
  'stuff',
  'index',
]);

it('the top level holds what the owner fixed and what tools insist on', () => {
  const extra = readdirSync(ROOT).filter(
    (name) => !name.startsWith('.') && !TOP_LEVEL.includes(name) && !GENERATED.has(name),
  );
  expect(extra).toEqual([]);
});

it('files and folders are kebab-case', () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
  const wrong = sourceFiles.filter(({ path }) =>
    path
      .replace(/(\.(test|long|spec|bench|config|d|snapshot|worker))*\.tsx?$/, '')
      .split('/')
      .some((part) => !kebab.test(part)),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

it('no file or folder is named by a word that says nothing', () => {
  const wrong = sourceFiles.filter(({ path }) =>
    path.split('/').some((part) => EMPTY_WORDS.has(part.replace(/\..*$/, ''))),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

it('folders are at most three deep below the top', () => {
  const deep = ROOMS.flatMap((room) => filesBelow(room)).filter((file) => file.split('/').length > 5);
  expect(deep.filter((file) => !file.startsWith('tests/fixtures/'))).toEqual([]);
});
