/**
 * What work costs the thread that does it, in processor time, because other processes on the machine do not lengthen it,
 * and in milliseconds of one and the same machine, because those that run the tests differ by four times.
 */

/** What the yardstick takes on a machine of two cores, on which the limits of the tests were set. */
const YARDSTICK_MS = 20;

/** How much of it. */
const YARDSTICK_ROUNDS = 8_000;

/** How often a loop that nothing holds up is looked at. */
const LOOK_MS = 5;

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function msOf(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  return msSince(before);
}

/** Work of the kind that is measured: texts are cut, matched, counted and joined. */
function yardstick(): number {
  const counts = new Map<string, number>();
  for (let round = 0; round < YARDSTICK_ROUNDS; round += 1) {
    const text = `${round} the ferry leaves *at six* from [quay ${round % 97}](https://a.example/${round})`;
    for (const word of text.split(/[\s*[\]()]+/u)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).length;
}

/** How many times slower this thread is at this moment than the machine on which the limits were set; at least 1. */
export function pace(): number {
  return Math.max(1, Math.min(msOf(yardstick), msOf(yardstick), msOf(yardstick)) / YARDSTICK_MS);
}

/** Milliseconds of this thread. */
export function cpuMs(run: () => unknown): number {
  return msOf(run) / pace();
}

/** The best of three unless the first is below `enough`: it may have paid for compilation or a collection of garbage. */
export function quickest(run: () => unknown, enough: number): number {
  const first = msOf(run);
  return first < enough ? first : Math.min(first, msOf(run), msOf(run)) / pace();
}

/** Milliseconds of this thread until the promise is settled, of everything that runs in it meanwhile. */
export async function cpuMsOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  return msSince(before) / pace();
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
  return (stretches.toSorted((a, b) => b - a)[Math.floor(stretches.length / 100)] ?? Number.NaN) / pace();
}
