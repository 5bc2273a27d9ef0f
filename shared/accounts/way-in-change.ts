// Changes of how a person logs in; each is mailed to the person.
import { z } from 'zod';

export const wayInChange = z.enum([
  'github_connected',
  'github_disconnected',
  'google_connected',
  'google_disconnected',
  'passkey_added',
  'passkey_removed',
  'second_factor_on',
  'second_factor_off',
]);
export type WayInChange = z.output<typeof wayInChange>;
