// Result of every successful sign-in.
import { z } from 'zod';
import { user } from './user.ts';

export const userShown = user.row.meta({ id: 'User' });

/** The token is shown this once. */
export const signedIn = z.object({ token: z.string(), user: userShown });
