// Labels and descriptions of positions.
import type { Position } from '#shared/permissions.ts';

export const POSITION_LABELS: Readonly<Record<Position, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
  'read-only': 'Read-only',
};

/** Completes "Bob is now …". */
export const POSITION_PHRASES: Readonly<Record<Position, string>> = {
  owner: 'an owner',
  admin: 'an admin',
  member: 'a member',
  'read-only': 'a read-only member',
};

export const POSITION_MEANINGS: Readonly<Record<Position, string>> = {
  owner: 'Can do everything, including changing the address and deleting the workspace.',
  admin: 'Can do everything except changing the address and deleting the workspace.',
  member: 'Can save, edit and delete their own content, and edit what the workspace shares.',
  'read-only': 'Can read and search.',
};
