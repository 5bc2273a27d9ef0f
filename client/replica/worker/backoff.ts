// When requests may be sent again after the server refused one: after the time that it names in Retry-After, or after a wait
// that doubles with each refusal. Jitter spreads many clients over that time. A server that cannot be reached at all needs no
// backoff, because a refused connection costs it nothing.
import { pause } from '#client/replica/worker/pause.ts';

/** First wait after a refusal; each further one doubles it. */
const FIRST_MS = 500;
/** Longest wait of our own; with the jitter on top it stays below half a minute. */
const LONGEST_MS = 20_000;
/** Longest Retry-After that is obeyed. */
const RETRY_AFTER_MAX_MS = 60_000;
/** Jitter, as the largest share of the wait that it adds. */
const JITTER = 0.5;

/** The parts of a response that show whether the server is overloaded. */
export interface ResponseStatus {
  status: number;
  /** The header Retry-After, unparsed. */
  retryAfter: string | null;
}

/** Seconds, or a date; undefined for anything else. */
function retryAfterMs(retryAfter: string | null, now: number): number | undefined {
  if (retryAfter === null) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS) : undefined;
}

/** The backoff towards one server, shared by all requests to it. */
export class Backoff {
  readonly #random: () => number;
  #refusals = 0;
  #until = 0;
  #resume: () => void = () => undefined;
  #resumed: Promise<void> = Promise.resolve();

  constructor(random: () => number = Math.random) {
    this.#random = random;
    this.#renew();
  }

  #renew(): void {
    this.#resumed = new Promise((resolve) => (this.#resume = resolve));
  }

  /** Milliseconds until the next request may be sent. */
  get waitMs(): number {
    return Math.max(0, this.#until - Date.now());
  }

  /** Resolves when the next request may be sent. @throws the signal's reason */
  async wait(signal: AbortSignal): Promise<void> {
    const { waitMs } = this;
    if (waitMs > 0) {
      const stop = new AbortController();
      await Promise.race([pause(waitMs, AbortSignal.any([signal, stop.signal])), this.#resumed]);
      stop.abort();
    }
    signal.throwIfAborted();
  }

  /** Records a response; requests that were in flight together count as one refusal. */
  record({ status, retryAfter }: ResponseStatus): void {
    const isRefusal = status === 429 || status >= 500;
    if (!isRefusal) {
      this.#refusals = 0;
      this.#until = 0;
      return;
    }
    const now = Date.now();
    const requested = retryAfterMs(retryAfter, now);
    if (now < this.#until && requested === undefined) return;
    if (now >= this.#until) this.#refusals += 1;
    const own = Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.#refusals - 1));
    const wait = Math.max(own, requested ?? 0) * (1 + JITTER * this.#random());
    // Whole milliseconds, because timers truncate the rest and would fire too early.
    this.#until = Math.max(this.#until, now + Math.ceil(Math.min(wait, RETRY_AFTER_MAX_MS)));
  }

  /** Ends every wait at once: the person requested a sync, or the server is known to be back. */
  reset(): void {
    this.#until = 0;
    this.#resume();
    this.#renew();
  }
}
