// How fast a server that is in trouble may be asked (SYNC 6 F9): it says how long to wait, or each refusal doubles the
// wait; chance spreads many clients over the time. What cannot be reached at all needs no care of ours.

/** First wait after a refusal; each further one doubles it. */
const FIRST_MS = 500;
/** Longest wait of our own; with the spread on top it stays below half a minute. */
const LONGEST_MS = 20_000;
/** What a server may ask for. */
const ASKED_MAX_MS = 60_000;
/** Share of the wait that chance adds. */
const SPREAD = 0.5;

/** The parts of an answer that tell how the server is. */
export interface Sign {
  status: number;
  /** The header Retry-After as it came. */
  retryAfter: string | null;
}

/** Seconds, or a date; undefined for anything else. */
function askedMs(retryAfter: string | null, now: number): number | undefined {
  if (retryAfter === null) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), ASKED_MAX_MS) : undefined;
}

/** The manners towards one server; everything that asks it shares them. */
export class Pace {
  readonly #random: () => number;
  #refusals = 0;
  #until = 0;
  #release: () => void = () => undefined;
  #released: Promise<void> = Promise.resolve();

  constructor(random: () => number = Math.random) {
    this.#random = random;
    this.#renew();
  }

  #renew(): void {
    this.#released = new Promise((resolve) => (this.#release = resolve));
  }

  /** Milliseconds until the server may be asked again. */
  get waitMs(): number {
    return Math.max(0, this.#until - Date.now());
  }

  /** Resolves when the server may be asked. @throws the signal's reason */
  async turn(signal: AbortSignal): Promise<void> {
    const { waitMs } = this;
    if (waitMs > 0) {
      const stop = new AbortController();
      await Promise.race([after(waitMs, AbortSignal.any([signal, stop.signal])), this.#released]);
      stop.abort();
    }
    signal.throwIfAborted();
  }

  /** Takes note of what the server answered; requests that were under way together count as one refusal. */
  answered({ status, retryAfter }: Sign): void {
    const isRefusal = status === 429 || status >= 500;
    if (!isRefusal) {
      this.#refusals = 0;
      this.#until = 0;
      return;
    }
    const now = Date.now();
    const asked = askedMs(retryAfter, now);
    if (now < this.#until && asked === undefined) return;
    if (now >= this.#until) this.#refusals += 1;
    const own = Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.#refusals - 1));
    const wait = Math.max(own, asked ?? 0) * (1 + SPREAD * this.#random());
    // Whole milliseconds, because timers cut off the rest and would ask a moment too early.
    this.#until = Math.max(this.#until, now + Math.ceil(Math.min(wait, ASKED_MAX_MS)));
  }

  /** Somebody asks in person, or the server was seen to be back: nobody waits any longer. */
  release(): void {
    this.#until = 0;
    this.#release();
    this.#renew();
  }
}

function after(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
