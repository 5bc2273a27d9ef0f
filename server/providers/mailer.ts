/**
 * Sends mail: by SMTP where the configuration names a server, else into the outbox table, which a local page shows. Both accept
 * the same mail and refuse the same recipients. The sending job retries.
 */
import { PRODUCT_NAME } from '#shared/constants.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { TIMEOUTS } from '../limits.ts';
import type { MailKind } from './mail-kinds.ts';

/** One mail to one person, in both forms. */
export interface Mail {
  kind: MailKind;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Further headers, one line each. */
  headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** @throws when the mail was not accepted for delivery */
  send(mail: Mail): Promise<void>;
}

const SUBJECT_MAX = 200;

export function createMailer(
  { smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  { db, clock }: { db: Database; clock: Clock },
): Mailer {
  const mailer = smtpUrl === undefined ? outboxMailer(db, clock) : smtpMailer(smtpUrl, mailFrom);
  return { send: async (mail) => mailer.send(safe(mail)) };
}

/** The name and address in `From`. */
function smtpMailer(url: string, from: string | undefined): Mailer {
  return {
    async send({ to, subject, text, html, headers }) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url,
        connectionTimeout: TIMEOUTS.smtp,
        greetingTimeout: TIMEOUTS.smtp,
        socketTimeout: TIMEOUTS.smtp,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await transport.sendMail({
        subject,
        text,
        html,
        from: from ?? PRODUCT_NAME,
        // As an object, so that the address is never read as a list.
        to: { name: '', address: to },
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      });
    },
  };
}

function outboxMailer(db: Database, clock: Clock): Mailer {
  return {
    async send({ to, subject, text, html }) {
      const created = clock.now().toISOString();
      await db.insertInto('mail_outbox').values({ to, subject, text, html, created }).execute();
    },
  };
}

/** One line of subject and one plain address. @throws when the recipient is not one address */
function safe(mail: Mail): Mail {
  if (!/^[^\s@<>(),;:"\\[\]\p{Cc}]+@[^\s@<>(),;:"\\[\]\p{Cc}]+$/u.test(mail.to)) {
    throw new Error('The recipient of a mail is not one address');
  }
  return { ...mail, subject: mail.subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, SUBJECT_MAX) };
}
