/** Details of events in the audit log, as owners read them. */
import { expect, it } from 'vitest';
import { detailsText } from '#client/workspaces/audit-words.ts';

it('says in words to whom access was given, what changed, and what it was', () => {
  const eve = 'eve@example.net';
  expect(detailsText({ action: 'grant.created', details: { holder: eve, level: 'read' } })).toBe(
    'eve@example.net: can read',
  );
  expect(detailsText({ action: 'grant.changed', details: { holder: eve, from: 'read', to: 'write' } })).toBe(
    'eve@example.net: can read → can write',
  );
  expect(detailsText({ action: 'grant.removed', details: { holder: 'read-only', level: 'write' } })).toBe(
    'Position Read-only: can write',
  );
  expect(detailsText({ action: 'grant.removed', details: { holder: null, level: 'read' } })).toBe(
    'A former account: can read',
  );
  expect(detailsText({ action: 'space.visibility', details: { from: 'private', to: 'internal' } })).toBe(
    'Only me → Organisation',
  );
  expect(detailsText({ action: 'space.visibility', details: { from: null, to: 'public' } })).toBe(
    'Everyone on the web',
  );
  expect(detailsText({ action: 'member.position', details: { from: 'member', to: 'read-only' } })).toBe(
    'Member → Read-only',
  );
  expect(detailsText({ action: 'audit.exported', details: { format: 'csv' } })).toBe('format: csv');
  const key = { last4: 'a1b2', scopes: 'profile email', expiresAt: '2027-11-23T12:00:00.000Z' };
  expect(detailsText({ action: 'api_key.created', details: key })).toBe(
    'ends in: a1b2, scopes: profile email, expires: 23 November 2027',
  );
});
