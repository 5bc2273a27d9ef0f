// Schedules Replicache's writes to disk. Replicache requests an idle callback, which workers do not have. While many
// rows arrive and the page is in use, the page, this worker and the browser's storage would compete for the processors.

/** A thread without a screen is idle soon enough; Replicache by itself would wait a full second. */
const SOON_MS = 40;
/** Rows of one copy follow each other faster than this, however busy the page is with them. */
const LULL_MS = 500;
/** Received changes are written after this time at the latest, which bounds the loss when the tab is closed. */
const LATEST_MS = 4_000;

export class IdleMoments {
  #busyAt = Number.NEGATIVE_INFINITY;

  /** Call while many rows are on their way to a page that is in use. */
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
