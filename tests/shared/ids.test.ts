// The identifier table against the one that was promised to clients, and what must never pass as an id.
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { idOf } from '#shared/define/id-schema.ts';
import { ID_ALPHABET, ID_KINDS, isId, newId, type IdKind } from '#shared/ids.ts';

const SPECIFIED: [IdKind, string, number][] = [
  ['api_key', 'basebrain', 64],
  ['api_key_token', 'sk', 64],
  ['user', 'usr', 32],
  ['workspace', 'ws', 32],
  ['invite', 'inv', 64],
  ['space', 'spc', 24],
  ['memory', 'mem', 32],
  ['memory_media', 'media', 32],
  ['chunk', 'chk', 32],
  ['thread', 'thrd', 24],
  ['message', 'msg', 32],
  ['rating', 'rating', 32],
  ['upload', 'upload', 32],
  ['internal_event', 'int_evt', 64],
  ['notification', 'notif', 32],
  ['oauth_client', 'oauth_client', 24],
  ['oauth_auth_code', 'oauth_code', 24],
  ['oauth_token', 'oauth_token', 24],
  ['oauth_refresh', 'oauth_refresh', 24],
  ['email', 'email', 24],
];

describe('identifiers', () => {
  test.each(SPECIFIED)('%s has its promised prefix and length', (kind, prefix, length) => {
    const id = newId(kind);
    expect(id).toMatch(new RegExp(`^${prefix}_[a-km-z1-9]{${length}}$`));
    expect(isId(kind, id)).toBe(true);
  });

  test('sessions and members have no prefix', () => {
    expect(newId('session')).toMatch(/^[a-km-z1-9]{32}$/);
    expect(newId('workspace_member')).toMatch(/^[a-km-z1-9]{32}$/);
  });

  test('the alphabet leaves out 0 and l and nothing else', () => {
    expect(ID_ALPHABET).toHaveLength(34);
    expect(ID_ALPHABET).not.toMatch(/[0l]/);
  });

  test('every symbol of the alphabet occurs about equally often', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 2_000; n += 1) {
      for (const symbol of newId('user').slice(4)) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    }
    const expected = (2_000 * 32) / 34;
    for (const symbol of ID_ALPHABET) {
      expect((counts.get(symbol) ?? 0) / expected).toBeGreaterThan(0.85);
      expect((counts.get(symbol) ?? 0) / expected).toBeLessThan(1.15);
    }
  });

  test('an id of one kind is no id of another', () => {
    for (const kind of Object.keys(ID_KINDS).filter((name): name is IdKind => name in ID_KINDS)) {
      if (ID_KINDS[kind].prefix === null) continue;
      for (const other of SPECIFIED) {
        if (other[0] !== kind) expect(isId(other[0], newId(kind))).toBe(false);
      }
    }
  });

  test('no arbitrary text passes as an id', () => {
    fc.assert(fc.property(fc.string(), (text) => !isId('memory', text) || text.length === 36));
    for (const hostile of [
      null,
      undefined,
      1,
      {},
      [newId('memory')],
      `${newId('memory')}\n`,
      ` ${newId('memory')}`,
    ]) {
      expect(isId('memory', hostile)).toBe(false);
      expect(idOf('memory').safeParse(hostile).success).toBe(false);
    }
  });
});
