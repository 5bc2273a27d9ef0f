// Limits of incoming mail.
import { FILES } from '#shared/capture/limits.ts';

const MB = 1024 * 1024;

export interface MailServerLimits {
  /** Of a whole mail. */
  bytes: number;
  /** Of all mails that one server process receives or reads at a moment. */
  heldBytes: number;
  /** Open connections; how long one may be silent, and how long it may last, by default as in limits.ts. */
  connections: number;
  silenceMs?: number;
  connectionMs?: number;
  /** Addresses that lead nowhere, after which a connection is closed. */
  wrongAddresses: number;
}

export const MAIL_LIMITS = {
  /** The largest file, encoded as in mails, and a text. */
  bytes: Math.ceil((FILES.maxBytes * 4) / 3 / MB + 2) * MB,
  heldBytes: 160 * MB,
  attachments: 20,
  /** The process that reads one mail. */
  readerMemoryMb: 512,
  connections: 40,
  wrongAddresses: 5,
  /** Limits of mails to one address. */
  perHour: 60,
  perDay: 300,
  /** How long a mail is known that may be sent again. */
  rememberedDays: 30,
} as const satisfies MailServerLimits & Record<string, number>;
