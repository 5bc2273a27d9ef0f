/** A signed-in person as a device remembers them. */
import type { Person } from '#client/api/session.ts';
import { newId } from '#shared/ids.ts';

/** With one workspace, and checked just now. */
export function rememberedPerson(): Person {
  return {
    user: {
      id: newId('user'),
      source: 'email',
      githubId: null,
      googleId: null,
      forename: 'Ada',
      surname: null,
      username: null,
      email: 'ada@example.com',
      domain: 'example.com',
      personal: false,
      checklistClosedAt: null,
      emailVerified: true,
      created: '2026-01-01T00:00:00.000Z',
      updated: '2026-01-01T00:00:00.000Z',
    },
    workspaces: [{ id: newId('workspace'), slug: 'acme', name: 'Acme' }],
    checkedAt: Date.now(),
  };
}
