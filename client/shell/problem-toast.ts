/**
 * The toasts for failed calls, with the exact texts that support and documentation quote. Signing out on 401 belongs to
 * the session.
 */
import { AppError, ERRORS, FALLBACK_DETAIL, toFailure, UNKNOWN_ERROR_TITLE } from '#shared/errors.ts';
import { showToast } from '#client/shell/toasts.ts';

/** The server's response; `error` is the error object of its body, if it sent one. */
export interface ServerProblem {
  status: number;
  error?: { message?: string; detail?: string };
}

function textOf(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Reads an expected failure, or any thrown value with a status, as a response of the server. */
export function serverProblemOf(thrown: unknown): ServerProblem | undefined {
  if (thrown instanceof AppError) return { status: thrown.status, error: toFailure(thrown).error };
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const status: unknown = Reflect.get(thrown, 'status');
  if (typeof status !== 'number') return undefined;
  const error: unknown = Reflect.get(thrown, 'error');
  const message = textOf(error, 'message');
  const detail = textOf(error, 'detail');
  return { status, error: { ...(message && { message }), ...(detail && { detail }) } };
}

/** Whether the call was cancelled on purpose. */
export function isAborted(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'CanceledError');
}

/**
 * Shows the toast for a failure: none when aborted or 401, a warning for a response of the server, otherwise the
 * unknown error.
 */
export function showProblem(thrown: unknown): string | undefined {
  if (isAborted(thrown)) return undefined;
  const problem = serverProblemOf(thrown);
  if (problem?.status === ERRORS.unauthorized.status) return undefined;
  if (problem) {
    return showToast({
      kind: 'warning',
      title: problem.error?.message ?? ERRORS.internal.message,
      description: problem.error?.detail ?? FALLBACK_DETAIL,
    });
  }
  return showToast({ kind: 'error', title: UNKNOWN_ERROR_TITLE, description: FALLBACK_DETAIL });
}
