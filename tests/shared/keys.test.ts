// Replica keys: newest first within a kind, messages oldest first, ids recoverable, bootstrap order by kind.
import { describe, expect, test } from 'vitest';
import { newId } from '#shared/ids.ts';
import { entityIdOf } from '#shared/kinds.ts';
import { ascendingTime, invertedTime, keyOf, kindOfKey } from '#shared/sync/keys.ts';
import { memoryRow } from '#tests/support/rows.ts';

describe('replica keys', () => {
  test('newer memories sort before older ones, across every magnitude of time', () => {
    const times = [
      '1970-01-01T00:00:00.000Z',
      '1999-12-31T23:59:59.999Z',
      '2026-11-21T00:00:00.000Z',
      '2200-01-01T00:00:00.000Z',
    ];
    const keys = times.map((created) => keyOf('memory', memoryRow({ created })));
    expect([...keys].sort()).toEqual([...keys].reverse());
    expect(times.map(ascendingTime)).toEqual(times.map(ascendingTime).sort());
    expect(new Set(times.map((time) => invertedTime(time).length))).toEqual(new Set([9]));
  });

  test('the id and the kind can be read back from the key', () => {
    const row = memoryRow();
    expect(entityIdOf('memory', row)).toBe(row.id);
    expect(kindOfKey(keyOf('memory', row))).toBe('memory');
    expect(kindOfKey('0/ctl/sync')).toBeUndefined();
    const link = {
      workspaceId: row.workspaceId,
      spaceId: newId('space'),
      memoryId: row.id,
      createdBy: row.createdBy,
      created: row.created,
    };
    expect(entityIdOf('space_memory', link)).toBe(`${link.spaceId}/${row.id}`);
  });
});
