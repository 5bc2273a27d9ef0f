// Refusals in the words and codes of SMTP. Those that begin with 4 let the sender's server retry; those with 5 make it notify
// the sender.
import { AppError, type ErrorCode } from '#shared/errors.ts';

/** Why a command of SMTP is refused. */
export class MailRefusal extends Error {
  override readonly name = 'MailRefusal';
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(oneLine(message));
    this.responseCode = responseCode;
  }
}

const LINE_MAX = 300;

/** A reply is one line of ASCII, whatever the mail contains. */
function oneLine(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, '?').slice(0, LINE_MAX);
}

/** The one reply for every address that accepts no mail: unknown, switched off, or of a person who may not save any more. */
export const noSuchAddress = () => new MailRefusal(550, 'There is no such address here');

const tryLater = () => new MailRefusal(451, 'The mail cannot be saved at the moment, try again later');

const PERMANENT: Partial<Record<ErrorCode, number>> = {
  invalid: 554,
  unsupported_media: 554,
  too_large: 552,
  conflict: 554,
};
const GONE: ReadonlySet<ErrorCode> = new Set(['forbidden', 'not_found']);

/** The refusal for a failure of ours; failures not caused by the mail itself are temporary. */
export function asRefusal(error: unknown, what?: string): MailRefusal {
  if (error instanceof MailRefusal) return error;
  if (!(error instanceof AppError)) return tryLater();
  if (GONE.has(error.code)) return noSuchAddress();
  const code = PERMANENT[error.code];
  if (code === undefined) return tryLater();
  // The sender of a mail does not know the names of fields.
  const reason = error.detail.replace(/^\w+: /, '');
  return new MailRefusal(code, what === undefined ? reason : `${what}: ${reason}`);
}
