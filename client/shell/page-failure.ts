/**
 * The texts of the error page for a failure: fixed ones for an unknown address; otherwise the status message and the
 * server's detail, as in the toasts.
 */

import { isRouteErrorResponse } from 'react-router';

export interface PageFailure {
  statusCode: number;
  statusMessage?: string;
  message?: string;
}

/**
 * Texts of the error page. The description is the detail of the failure; a missing page has a fixed one and shows its
 * address below.
 */
export interface FailureMessage {
  title: string;
  description: string;
  message: string | undefined;
}

/** Converts an error thrown while a page loaded. Failures of the API have the texts of their body. */
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
export function failureMessage({ statusCode, statusMessage, message }: PageFailure): FailureMessage {
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
