/** Histories that failed once, shortened; they are played before the random ones. */
export const CORPUS: readonly { seed: number; steps: readonly number[] }[] = [];
