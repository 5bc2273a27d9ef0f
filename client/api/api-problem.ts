// Error of a failed call; a file of its own, because code that only distinguishes failures needs no endpoints.
import { ERRORS, FALLBACK_DETAIL } from '#shared/errors.ts';

/** A failed answer of the server, with the error object of its body. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly error: { message: string; detail: string; code: string };
  /** Seconds of the Retry-After header. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, retryAfter?: number) {
    const error = errorOf(body);
    super(`${status} ${error.message}: ${error.detail}`);
    this.status = status;
    this.error = error;
    this.retryAfter = retryAfter;
  }
}

function errorOf(body: unknown): ApiProblem['error'] {
  const error = asRecord(asRecord(body).error);
  const text = (key: string, fallback: string) => (typeof error[key] === 'string' ? error[key] : fallback);
  return {
    message: text('message', ERRORS.internal.message),
    detail: text('detail', FALLBACK_DETAIL),
    code: text('code', 'internal'),
  };
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
