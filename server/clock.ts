/**
 * The clock of the server, behind one interface, so that tests can stop and move it. Nothing else is in it; durations inside
 * one process are measured with performance.now instead.
 */

export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
