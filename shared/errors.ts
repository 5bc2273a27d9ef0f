// The table of error codes with HTTP status and words, the one error class
// that business code throws, and the wire shape of a failure.
import type { z } from 'zod';
import type { Id } from './ids.ts';

/** Code → HTTP status and status message; clients compare both, so they never change. */
export const ERRORS = {
  bad_request: { status: 400, message: 'Bad Request' },
  invalid: { status: 400, message: 'Bad Request' },
  unauthorized: { status: 401, message: 'Unauthorized' },
  forbidden: { status: 403, message: 'Forbidden' },
  // The account wants a code of an authenticator app: the same call again with it.
  second_factor_required: { status: 403, message: 'Forbidden' },
  // The session is too old for this: POST /v1/auth/confirm with a proof, then the same call again.
  confirmation_required: { status: 403, message: 'Forbidden' },
  not_found: { status: 404, message: 'Not found' },
  method_not_allowed: { status: 405, message: 'Method Not Allowed' },
  conflict: { status: 409, message: 'Conflict' },
  // Private passages would be shown with a thread: the same call again with a choice in `quotes`.
  quotes_private: { status: 409, message: 'Conflict' },
  // Of a cursor: what it needs is not stored any more, so its owner begins again without one.
  gone: { status: 410, message: 'Gone' },
  precondition_failed: { status: 412, message: 'Precondition Failed' },
  too_large: { status: 413, message: 'Content Too Large' },
  unsupported_media: { status: 415, message: 'Unsupported Media Type' },
  // Documented for search calls because clients expect it; never sent.
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

/** Detail shown when a failure has no better one; a fixed text. */
export const FALLBACK_DETAIL = 'Something went wrong, please try again or contact support.';
/** Toast title of a failure without a server response; the misspelling is retained, because people search for it. */
export const UNKNOWN_ERROR_TITLE = 'Unkown internal error';

/** Sentences of the OAuth calls; fixed texts. */
export const OAUTH_ERRORS = {
  request: 'Invalid request',
  unauthenticated: 'Authentication required',
  client: 'Invalid client credentials',
  token: 'Invalid or expired access token',
  internal: ERRORS.internal.message,
} as const;

/** Texts of failed look-ups in the app. */
export const LOOKUP_ERRORS = {
  user: 'Failed to fetch user profile',
  workspace: 'Failed to get a workspace',
  publicWorkspace: 'Failed to get a public workspace',
} as const;

/** 'Page Not Found: {path}', the message of an unknown address. */
export function pageNotFoundMessage(path: string): string {
  return `Page Not Found: ${path}`;
}

/** A memory whose passage would be shown, under a title that the caller may know. */
export interface QuotedMemory {
  memoryId: Id<'memory'>;
  title: string;
}

interface FailureOptions {
  retryAfter?: number;
  scopes?: readonly string[];
  headers?: Readonly<Record<string, string>>;
  memories?: readonly QuotedMemory[];
}

/** An expected failure with a code of the table; any other error is a fault of ours (500). */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly detail: string;
  /** Seconds after which a retry makes sense; sent as Retry-After. */
  readonly retryAfter: number | undefined;
  /** Scopes that the call needs of a key or token; sent in WWW-Authenticate when one of them is missing. */
  readonly scopes: readonly string[] | undefined;
  /** Of `quotes_private`, for programs. */
  readonly memories: readonly QuotedMemory[] | undefined;
  /** Further headers of the response. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string = FALLBACK_DETAIL, options: FailureOptions = {}) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.retryAfter = options.retryAfter;
    this.scopes = options.scopes;
    this.headers = options.headers ?? {};
    this.memories = options.memories;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Body of every failure on /v1. */
export interface Failure {
  success: false;
  error: { message: string; detail: string; code: string; memories?: readonly QuotedMemory[] | undefined };
}

/** The wire form of an expected failure. */
export function toFailure(error: AppError): Failure {
  return {
    success: false,
    error: {
      message: ERRORS[error.code].message,
      detail: error.detail,
      code: error.code,
      ...(error.memories && { memories: error.memories }),
    },
  };
}

/** One readable sentence out of a zod failure: the first invalid field, or `whole` for the whole value, and the reason. */
export function describeIssues(error: z.ZodError, whole = 'body'): string {
  const issue = error.issues[0];
  if (!issue) return 'Invalid input';
  const field = issue.path.map(String).join('.');
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : '';
  return `${field === '' ? whole : field}: ${issue.message}${more}`;
}
