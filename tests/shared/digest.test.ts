/** The sum by which a replica and the server compare their rows. */
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { DigestSum } from '#shared/sync/digest.ts';

type Rows = Record<string, unknown>;

function digestOf(rows: Rows, order = Object.keys(rows)) {
  const sum = new DigestSum();
  for (const key of order) sum.add(key, rows[key]);
  return sum.digest;
}

const value = fc.dictionary(
  fc.string(),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
);
const rows = fc.dictionary(fc.string({ minLength: 1 }), value, { minKeys: 1, maxKeys: 20 });

describe('the sum of a replica', () => {
  it('does not depend on the order of rows and of their fields', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const turned = Object.fromEntries(
          Object.entries(given).map(([key, row]) => [key, Object.fromEntries(Object.entries(row).reverse())]),
        );
        expect(digestOf(turned, Object.keys(given).reverse())).toEqual(digestOf(given));
      }),
    );
  });

  it('takes a field that is empty for one that a row is too old to have', () => {
    expect(digestOf({ a: { title: 'x', colour: null } })).toEqual(digestOf({ a: { title: 'x' } }));
    expect(digestOf({ a: { title: 'x', open: false, sources: [] } })).toEqual(
      digestOf({ a: { title: 'x' } }),
    );
    expect(digestOf({ a: { meta: { deep: null } } })).toEqual(digestOf({ a: { meta: {} } }));
  });

  it('changes when a field is filled', () => {
    const before = digestOf({ a: { open: false, sources: [], colour: null } });
    for (const field of [{ open: true }, { sources: ['b'] }, { colour: '' }])
      expect(digestOf({ a: { open: false, sources: [], colour: null, ...field } })).not.toEqual(before);
  });

  it('changes with every row that is missing, too many, stale or under another key', () => {
    fc.assert(
      fc.property(rows, fc.nat(), (given, nth) => {
        const keys = Object.keys(given);
        const key = keys[nth % keys.length] ?? '';
        const { [key]: row, ...others } = given;
        const whole = digestOf(given);
        expect(digestOf(others)).not.toEqual(whole);
        expect(digestOf({ ...given, [`${keys.join()}+`]: row })).not.toEqual(whole);
        expect(digestOf({ ...given, [key]: { ...row, stale: 'by one edit' } })).not.toEqual(whole);
        expect(digestOf({ ...others, [`${keys.join()}+`]: row })).not.toEqual(whole);
      }),
    );
  });

  it('is short whatever is in it', () => {
    expect(digestOf({})).toEqual({ count: 0, sum: '0000000000000000' });
    const many = Object.fromEntries(Array.from({ length: 500 }, (_unused, n) => [`4/m/${n}`, { n }]));
    expect(digestOf(many).sum).toMatch(/^[0-9a-f]{16}$/);
  });
});
