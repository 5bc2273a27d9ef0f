/** A build whose files import each other does not start in a browser. */
import { expect, it } from 'vitest';
import { findCycle } from '#client/build/chunk-cycles.ts';

const graph = (imports: Record<string, string[]>) => new Map(Object.entries(imports));

it('finds files that import each other, directly or by way of others', () => {
  expect(findCycle(graph({ entry: ['a'], a: ['b'], b: ['a'] }))).toEqual(['a', 'b']);
  expect(findCycle(graph({ a: ['b'], b: ['c', 'vendor'], c: ['a'], vendor: [] }))).toEqual(['a', 'b', 'c']);
});

it('lets several files import the same one', () => {
  expect(
    findCycle(graph({ entry: ['a', 'b'], a: ['shared'], b: ['a', 'shared'], shared: [] })),
  ).toBeUndefined();
});
