/**
 * The seed of everything that tests draw at random. It is always the same, so that a change meets the values and histories
 * that the change before it met; SEED in the environment takes its place, and the long run draws a new one each time.
 */
const GATE_SEED = 1;

export const SEED = Number(process.env['SEED'] ?? GATE_SEED);
if (!Number.isSafeInteger(SEED))
  throw new Error(`SEED has to be a whole number, not ${process.env['SEED']}.`);
