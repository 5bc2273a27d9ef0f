/**
 * The clock of the server, behind one interface, so that tests can stop and move it.
 * It knows nothing else; durations inside one process are measured with performance.now instead.
 */

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
