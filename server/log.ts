/**
 * The log: JSON lines by pino, with secrets removed wherever they occur. It depends on no feature; callers pass chosen fields,
 * never whole bodies.
 */
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

const SECRET_FIELDS = ['password', 'token', 'secret', 'authorization', 'cookie', 'key', 'databaseUrl'];

/** One-time codes of sign-in; errors have a `code` too, which must stay readable. */
const SECRET_PATHS = [
  ...SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]),
  'code',
  'body.code',
  'query.code',
];

/** Shapes of secrets inside free text, such as the message of an error. */
const SECRET_TEXT: readonly [RegExp, string][] = [
  [/\b(?:sk|oauth|ses|whsec)_[A-Za-z0-9_-]{8,}/g, '[secret]'],
  [/\b(bearer|basic) +[\w.~+/=-]{8,}/gi, '$1 [secret]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '[jwt]'],
  [/\b(\w+:\/\/[^\s:/@]+):[^\s@]+@/g, '$1:[secret]@'],
  [/[\w.+-]+@[\w-]+\.[\w.-]+/g, '[email]'],
];

/** Free text without secrets and addresses, on one line. */
export function scrub(text: string): string {
  const clean = SECRET_TEXT.reduce(
    (rest, [pattern, replacement]) => rest.replace(pattern, replacement),
    text,
  );
  return clean.replace(/[\r\n]+/g, ' ⏎ ');
}

/** Text of a thrown value, also where it is not an Error: an object as JSON without its secrets. */
export function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || thrown instanceof Error) return String(thrown);
  try {
    return JSON.stringify(thrown, (key, value: unknown) =>
      SECRET_FIELDS.includes(key) ? '[secret]' : value,
    );
  } catch {
    // A ring, or a field that cannot be read.
    return 'an object that has no text';
  }
}

/** A fault as a log object: what, where, and the codes the database adds. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return scrub(textOf(error));
  return {
    type: error.name,
    message: scrub(error.message),
    code: 'code' in error ? String(error.code) : undefined,
    stack: error.stack === undefined ? undefined : scrub(error.stack),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

/** The logger of a process; `destination` is for tests that read the log. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    serializers: { err: describeError, error: describeError },
    hooks: {
      logMethod(this: Logger, args: Parameters<Logger['info']>, method: Logger['info']) {
        const [first, second, ...rest] = args;
        if (typeof first === 'string') return method.apply(this, [scrub(first), second, ...rest]);
        return method.apply(this, typeof second === 'string' ? [first, scrub(second), ...rest] : args);
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
