import { z } from 'zod';

/** `keep` shares the passages with the thread, `remove` leaves them out of its answers. */
export const quotesChoice = z.enum(['keep', 'remove']).optional();
export type QuotesChoice = z.output<typeof quotesChoice>;
