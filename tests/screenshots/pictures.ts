/** Where the pictures of the docs are, and what those of mails are called. */
import path from 'node:path';
import type { MailKind } from '#server/providers/mail-kinds.ts';

/** The folder of all pictures. */
export const PICTURES = path.resolve(import.meta.dirname, '../../client/public/screenshots');

/** Pixels that mail programs give a mail. */
export const MAIL_WIDTH = 600;

/** The name of the pictures of a mail, without `-light` or `-dark`. */
export const mailPicture = (kind: MailKind) => `mail-${kind.replaceAll('_', '-')}`;
