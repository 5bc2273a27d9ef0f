/**
 * The time as the server tells it, behind one interface, so that tests can hold it still and move it.
 * It knows nothing else; whoever needs durations inside one process uses performance.now instead.
 */

/** Source of wall-clock time. */
export interface Clock {
  now(): Date;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date() };
