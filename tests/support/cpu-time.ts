/** What work costs the thread that does it, in processor time: other processes on the machine do not lengthen it. */

/** How often a loop that nothing holds up is looked at. */
const LOOK_MS = 5;

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Milliseconds of this thread. */
export function cpuMs(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  return msSince(before);
}

/** The best of three unless the first is below `enough`: it may have paid for compilation or a collection of garbage. */
export function quickest(run: () => unknown, enough: number): number {
  const first = cpuMs(run);
  return first < enough ? first : Math.min(first, cpuMs(run), cpuMs(run));
}

/** Milliseconds of this thread until the promise is settled, of everything that runs in it meanwhile. */
export async function cpuMsOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  return msSince(before);
}

/** How long the work holds up everything else in this thread at a time: the longest stretch, but for one in a hundred. */
export async function heldUpMs(run: () => Promise<unknown>): Promise<number> {
  const stretches: number[] = [];
  let before = process.threadCpuUsage();
  const look = () => {
    stretches.push(msSince(before));
    before = process.threadCpuUsage();
  };
  const looking = setInterval(look, LOOK_MS);
  try {
    await run();
  } finally {
    clearInterval(looking);
  }
  look();
  return stretches.toSorted((a, b) => b - a)[Math.floor(stretches.length / 100)] ?? Number.NaN;
}
