// The rules of new passwords that both sides can check; the list of common ones stays on the server.
import { z } from 'zod';
import { PASSWORD } from './limits.ts';

/** Normalizes a password across keyboards; its result is hashed. */
export function normalizePassword(text: string): string {
  return text.normalize('NFKC');
}

/** A new password: length in code points after normalisation, no other demands on its characters. */
export const password = z
  .string({ error: 'Required' })
  .max(PASSWORD.max * 4, `At most ${PASSWORD.max} characters`)
  .transform(normalizePassword)
  .refine((text) => [...text].length >= PASSWORD.min, `At least ${PASSWORD.min} characters`)
  .refine((text) => [...text].length <= PASSWORD.max, `At most ${PASSWORD.max} characters`);

/** Any text, so that rules about new passwords never lock out an old one. */
export const givenPassword = z.string({ error: 'Required' }).min(1, 'Required').max(1_024);
