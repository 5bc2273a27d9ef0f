// The replica's worker before there is a replica: it is started while the code of the dashboard is still being read, so
// that both get ready side by side. Says nothing until it is spoken to. Part of every page, so it must stay tiny.
import { COOKIES } from '#shared/constants.ts';
import { readCookie } from '#client/api/cookies.ts';

let early: Worker | undefined;

function create(): Worker {
  return new Worker(new URL('./worker/replica-worker.ts', import.meta.url), {
    type: 'module',
    name: 'replica',
  });
}

/** Starts the worker when somebody is signed in; for addresses of the dashboard. */
export function startWorkerEarly(): void {
  if (readCookie(COOKIES.session) !== undefined) early = create();
}

/** The worker that was started early, once; after that a fresh one. */
export function takeWorker(): Worker {
  const worker = early ?? create();
  early = undefined;
  return worker;
}
