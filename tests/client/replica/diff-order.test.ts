// Changes that are reported out of order still result in the current rows.
import { fc } from '#tests/support/fast-check.ts';
import { expect, it } from 'vitest';
import { DiffOrder, type DiffOperation } from '#client/replica/worker/diff-order.ts';

type Row = { title: string };

/** A store whose commits are reported in an order of the test's choice. */
function store() {
  const rows = new Map<string, Row>();
  const shown = new Map<string, unknown>();
  let reads = 0;
  const order = new DiffOrder({
    take: (changes) => changes.forEach(([key, value]) => void shown.set(key, value)),
    read: async (keys) => {
      reads += 1;
      return keys.map((key) => [key, rows.get(key) ?? null]);
    },
    onFailure: (error) => {
      throw error;
    },
  });
  return {
    shown,
    order,
    reads: () => reads,
    /** Commits and returns the change to report. */
    write(key: string, row: Row | undefined): DiffOperation | undefined {
      const before = rows.get(key);
      if (row === undefined) rows.delete(key);
      else rows.set(key, row);
      if (row === undefined) return before && { op: 'del', key, oldValue: before };
      return before
        ? { op: 'change', key, oldValue: before, newValue: row }
        : { op: 'add', key, newValue: row };
    },
    present: (key: string) => rows.get(key) ?? null,
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

it('hands on what comes in order, without reading anything', async () => {
  const { order, shown, write, reads } = store();
  for (const title of ['first', 'second', 'third']) {
    const told = write('4/m/a', { title });
    if (told) order.add([told]);
  }
  await settled();
  expect(shown.get('4/m/a')).toEqual({ title: 'third' });
  expect(reads()).toBe(0);
});

it('shows the newest row when an older change is reported after it', async () => {
  const { order, shown, write } = store();
  const made = write('4/m/a', { title: 'made' });
  const edited = write('4/m/a', { title: 'edited' });
  if (edited) order.add([edited]);
  await settled();
  if (made) order.add([made]);
  await settled();
  expect(shown.get('4/m/a')).toEqual({ title: 'edited' });
});

it('ends with the current rows, in whatever order changes are reported', async () => {
  const values: readonly (Row | undefined)[] = [{ title: 'a' }, { title: 'b' }, { title: 'c' }, undefined];
  const writes = fc.array(fc.tuple(fc.constantFrom('x', 'y'), fc.nat(3), fc.nat(3)), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(writes, async (steps) => {
      const { order, shown, write, present } = store();
      const late: (readonly [until: number, told: DiffOperation])[] = [];
      const tell = async (step: number) => {
        for (const [until, told] of Array.from(late)) {
          if (until > step) continue;
          late.splice(
            late.findIndex(([, other]) => other === told),
            1,
          );
          order.add([told]);
          await settled();
        }
      };
      for (const [step, [key, value, delay]] of steps.entries()) {
        const told = write(key, values[value] && { ...values[value] });
        if (told) late.push([step + delay, told]);
        await tell(step);
      }
      await tell(Number.POSITIVE_INFINITY);
      for (const key of ['x', 'y']) expect(shown.get(key) ?? null).toEqual(present(key));
    }),
    { numRuns: 200 },
  );
});
