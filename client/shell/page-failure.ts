/**
 * The words of the error page for a failure: the specification's for an unknown address; for the rest the status message
 * and what the server says of it, as in the specification's toasts.
 * Stands apart from shared/errors.ts because public pages must not load its schemas.
 */

import { isRouteErrorResponse } from 'react-router';

/** The error object of the specification. */
export interface PageFailure {
  statusCode: number;
  statusMessage?: string;
  message?: string;
}

/** What the error page shows. What a failure says is its description; an unknown address has a fixed one and names itself below. */
export interface FailureWords {
  title: string;
  description: string;
  message: string | undefined;
}

/** What was thrown while a page loaded, as the error object. The API's failures keep the words of their body. */
export function failureOf(error: unknown): PageFailure {
  if (!isRouteErrorResponse(error)) return { statusCode: 500 };
  const { message, detail }: { message?: string; detail?: string } = error.data?.error ?? {};
  return {
    statusCode: error.status,
    ...(message && { statusMessage: message }),
    ...(detail && { message: detail }),
  };
}

/** Words for the page and for its head. */
export function failureWords({ statusCode, statusMessage, message }: PageFailure): FailureWords {
  const said = message === statusMessage ? undefined : message;
  if (statusCode === 404) {
    return {
      title: 'Page not found',
      description: 'We are sorry but this page could not be found.',
      message: said,
    };
  }
  return {
    title: statusMessage || 'Internal error',
    description: said || 'Something went wrong, please try again or contact support.',
    message: undefined,
  };
}
