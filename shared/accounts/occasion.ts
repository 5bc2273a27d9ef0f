// When and with which browser an account was changed, for the mail that informs its owner.
import { z } from 'zod';
import { timestamp } from '../define/fields.ts';

export const occasion = z.object({ device: z.string(), at: timestamp });
export type Occasion = z.output<typeof occasion>;
