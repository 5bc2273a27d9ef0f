/** Files stay small enough to read in one go; the soft limit is reported, the hard one fails. */
import { expect, it } from 'vitest';
import { sourceFiles } from './source-tree.ts';

const SOFT_LIMIT = 250;
const HARD_LIMIT = 400;

const measured = sourceFiles
  .filter(({ path }) => !path.startsWith('tests/fixtures/') && !path.includes('.snapshot.'))
  .sort((a, b) => b.lines - a.lines);

it(`no file has more than ${HARD_LIMIT} lines`, () => {
  const large = measured.filter(({ lines }) => lines > SOFT_LIMIT && lines <= HARD_LIMIT);
  if (large.length > 0) {
    console.info(
      `over ${SOFT_LIMIT} lines: ${large.map(({ path, lines }) => `${path} (${lines})`).join(', ')}`,
    );
  }
  expect(
    measured.filter(({ lines }) => lines > HARD_LIMIT).map(({ path, lines }) => `${path}: ${lines}`),
  ).toEqual([]);
});

it('half of the files of the product have 120 lines or fewer', () => {
  const product = measured.filter(({ path }) => !path.startsWith('tests/'));
  expect(product[Math.floor(product.length / 2)]?.lines ?? 0).toBeLessThanOrEqual(120);
});
