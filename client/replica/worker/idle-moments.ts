// When Replicache writes to disk: it asks for an idle moment, which workers cannot tell by themselves. While many rows
// arrive and somebody works in the page, the page, this worker and the browser's storage would all want the processors.

/** A thread without a screen is idle soon enough; Replicache by itself would wait a full second. */
const SOON_MS = 40;
/** Rows of one copy follow each other faster than this, however busy the page is with them. */
const LULL_MS = 500;
/** What arrived is written after this time in any case: a tab that is closed loses no more of its copy than that. */
const LATEST_MS = 4_000;

/** Idle moments of one worker. */
export class IdleMoments {
  #busyAt = Number.NEGATIVE_INFINITY;

  /** Many rows are on their way to a page in which somebody works. */
  busy(): void {
    this.#busyAt = Date.now();
  }

  /** Calls back in the next idle moment. */
  request(callback: () => void): void {
    const latest = Date.now() + LATEST_MS;
    const look = () => {
      const now = Date.now();
      if (now - this.#busyAt < LULL_MS && now < latest) setTimeout(look, SOON_MS);
      else callback();
    };
    setTimeout(look, SOON_MS);
  }
}
