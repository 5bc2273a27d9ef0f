/** The time limits of the server as they are at another patience than that of the run, for tests in which one strikes. */
import { afterAll, beforeAll } from 'vitest';
import { TIMEOUTS, timeoutsAt } from '#server/limits.ts';

/**
 * For the tests of this file, or of this `describe`; call it before what opens a database. Files share their process, so
 * the limits of the run come back after.
 */
export function withPatience(patience: number): void {
  let ofRun: typeof TIMEOUTS;
  beforeAll(() => {
    ofRun = { ...TIMEOUTS };
    Object.assign(TIMEOUTS, timeoutsAt(patience));
  });
  afterAll(() => void Object.assign(TIMEOUTS, ofRun));
}
