// Starts the replica's worker while the dashboard's code is still loading, so that both get ready in parallel. The
// worker is silent until its first message. Part of every page, so this file must stay tiny.
import { COOKIES } from '#shared/constants.ts';
import { readCookie } from '#client/api/cookies.ts';

let early: Worker | undefined;

function create(): Worker {
  return new Worker(new URL('./worker/replica-worker.ts', import.meta.url), {
    type: 'module',
    name: 'replica',
  });
}

/** Starts the worker if a session cookie is present; call it for dashboard addresses, and after a log-in. */
export function startWorkerEarly(): void {
  if (readCookie(COOKIES.session) !== undefined) early ??= create();
}

/** The worker that was started early, once; after that a fresh one. */
export function takeWorker(): Worker {
  const worker = early ?? create();
  early = undefined;
  return worker;
}
