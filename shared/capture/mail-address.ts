// The secret address of a person in a workspace: mails to it are saved as theirs.
import { z } from 'zod';
import { timestamp } from '../define/fields.ts';

export const mailAddress = z
  .object({
    /** False on a server that receives no mail. */
    isAvailable: z.boolean(),
    /** Null while there is none, and where this server cannot read what it stored under an earlier key. */
    address: z.string().nullable(),
    created: timestamp.nullable(),
  })
  .meta({ id: 'MailAddress' });
export type MailAddress = z.output<typeof mailAddress>;
