/** The table of shortcuts: no two rows that could fight for a key. */
import { describe, expect, it } from 'vitest';
import { SHORTCUTS } from '#client/shell/shortcut-catalogue.ts';

const bindings = Object.entries(SHORTCUTS).flatMap(([id, row]) =>
  row.keys.map((keys: string) => ({ id, keys })),
);

describe('the table of shortcuts', () => {
  it('uses no keys twice', () => {
    const keys = bindings.map((binding) => binding.keys.toLowerCase());
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('has no single key that would swallow the beginning of a chain', () => {
    const singles = new Set(bindings.filter(({ keys }) => !keys.includes(' ')).map(({ keys }) => keys));
    const swallowed = bindings.filter(
      ({ keys }) => keys.includes(' ') && singles.has(keys.split(' ')[0] ?? ''),
    );
    expect(swallowed).toEqual([]);
  });
});
