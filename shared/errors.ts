// The table of error codes with HTTP status and words (specification section 8), the one error class
// that business code throws, and the wire shape of a failure.
import type { z } from 'zod';

/** Code → HTTP status and the specification's status message. */
export const ERRORS = {
  bad_request: { status: 400, message: 'Bad Request' },
  invalid: { status: 400, message: 'Bad Request' },
  unauthorized: { status: 401, message: 'Unauthorized' },
  forbidden: { status: 403, message: 'Forbidden' },
  not_found: { status: 404, message: 'Not found' },
  conflict: { status: 409, message: 'Conflict' },
  precondition_failed: { status: 412, message: 'Precondition Failed' },
  too_large: { status: 413, message: 'Content Too Large' },
  unsupported_media: { status: 415, message: 'Unsupported Media Type' },
  // Listed by the specification for search calls; documented, never sent (PRODUCT 5).
  teapot: { status: 418, message: "I'm a Teapot" },
  idempotency_mismatch: { status: 422, message: 'Unprocessable Content' },
  rate_limited: { status: 429, message: 'Too Many Requests' },
  internal: { status: 500, message: 'Internal error' },
  bad_gateway: { status: 502, message: 'Bad Gateway' },
  unavailable: { status: 503, message: 'Service Unavailable' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** The status message of an HTTP status; of ours for one that the table lacks. */
export function statusMessage(status: number): string {
  return Object.values(ERRORS).find((error) => error.status === status)?.message ?? ERRORS.internal.message;
}

/** Detail shown when a failure has nothing better to say; the text is the specification's. */
export const FALLBACK_DETAIL = 'Something went wrong, please try again or contact support.';
/** Toast title of a failure that is not a server answer; misspelt in the specification, kept. */
export const UNKNOWN_ERROR_TITLE = 'Unkown internal error';

/** Texts of failed look-ups in the app (specification section 8). */
export const LOOKUP_ERRORS = {
  user: 'Failed to fetch user profile',
  workspace: 'Failed to get a workspace',
  publicWorkspace: 'Failed to get a public workspace',
} as const;

/** 'Page Not Found: {path}', the message of an unknown address. */
export function pageNotFoundMessage(path: string): string {
  return `Page Not Found: ${path}`;
}

/** An expected failure with a code of the table; anything else that is thrown is a fault of ours (500). */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly detail: string;
  /** Seconds after which a retry makes sense; sent as Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, detail: string = FALLBACK_DETAIL, options: { retryAfter?: number } = {}) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Body of every failure on /v1. */
export interface Failure {
  success: false;
  error: { message: string; detail: string; code: string };
}

/** The wire form of an expected failure. */
export function toFailure(error: AppError): Failure {
  return {
    success: false,
    error: { message: ERRORS[error.code].message, detail: error.detail, code: error.code },
  };
}

/** One readable sentence out of a zod failure: the first field at fault and what is wrong with it. */
export function describeIssues(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'Invalid input';
  const field = issue.path.map(String).join('.');
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : '';
  return `${field === '' ? 'body' : field}: ${issue.message}${more}`;
}
