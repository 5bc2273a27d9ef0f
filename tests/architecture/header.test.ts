/** Every file introduces itself before its first line of code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, ROOT, sourceFiles } from './source-tree.ts';

it('every TypeScript file opens with a comment that says what lives there', () => {
  const bare = sourceFiles.filter(({ text }) => !/^(#!.*\n)?(\/\*[\s\S]{20,}?\*\/|\/\/ \S.{15,})/.test(text));
  expect(bare.map(({ path }) => path)).toEqual([]);
});

it('every migration opens with a comment', () => {
  const bare = filesBelow('migrations')
    .filter((file) => file.endsWith('.sql'))
    .filter((file) => !readFileSync(path.join(ROOT, file), 'utf8').startsWith('-- '));
  expect(bare).toEqual([]);
});
