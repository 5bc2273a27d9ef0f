/**
 * The words of the error page for a failure: the specification's for an unknown address, the status message for the rest.
 * Stands apart from shared/errors.ts because public pages must not load its schemas.
 */

/** The error object of the specification. */
export interface PageFailure {
  statusCode: number;
  statusMessage?: string;
  message?: string;
}

/** What the error page shows; `message` only when it says something else than the status message. */
export interface FailureWords {
  title: string;
  description: string;
  message: string | undefined;
}

const NOT_FOUND = {
  title: 'Page not found',
  description: 'We are sorry but this page could not be found.',
} as const;
const FAULT = {
  title: 'Internal error',
  description: 'Something went wrong, please try again or contact support.',
} as const;

/** Words for the page and for its head. */
export function failureWords({ statusCode, statusMessage, message }: PageFailure): FailureWords {
  const words = statusCode === 404 ? NOT_FOUND : { ...FAULT, ...(statusMessage && { title: statusMessage }) };
  return { ...words, message: message && message !== statusMessage ? message : undefined };
}
