/** The dark look of visitors without script is cut out of the styles of all others. */
import { expect, test } from 'vitest';
import { darkRules } from '#client/build/dark-rules.ts';

test('what holds below .dark is made to hold for the whole document', () => {
  const css = ':root{--ink:#000}.dark{--ink:#fff}.dark .face,.dark .other{color:var(--ink)}.face{color:red}';
  expect(darkRules(css)).toEqual([':root{--ink:#fff}', ':root .face,:root .other{color:var(--ink)}']);
});

test('utilities keep their names and lose their condition', () => {
  const css =
    '.dark\\:hidden:where(.dark,.dark *){display:none}.dark\\:block{display:block}.darker{color:red}';
  expect(darkRules(css)).toEqual(['.dark\\:hidden{display:none}']);
});

test('each rule keeps the layers and conditions around it', () => {
  const css =
    '@charset "utf-8";@layer a{.x{color:red}@media (hover:hover){.dark .x{color:tan}}}@media print{:root,.dark{color:#000}}';
  expect(darkRules(css)).toEqual([
    '@layer a{@media (hover:hover){:root .x{color:tan}}}',
    '@media print{:root,:root{color:#000}}',
  ]);
});

test('braces in strings end nothing', () => {
  const css = '.a:after{content:"}.dark{"}.dark .a:after{content:\'{"\\\'\'}';
  expect(darkRules(css)).toEqual([":root .a:after{content:'{\"\\''}"]);
});
