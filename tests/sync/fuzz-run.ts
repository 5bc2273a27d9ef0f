/**
 * Plays random histories: writes and pulls mixed, every response checked against the oracle, every replica equal to it
 * at the end. A failing history is shortened by leaving steps out, and printed with its seed.
 */
import { SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import type { PullLimits } from '#server/sync/pull-steps.ts';
import { ACTIONS, createMemory, THEMES, type Theme } from './fuzz-actions.ts';
import type { FuzzReplica, PullFrom } from './fuzz-replica.ts';
import { checkPuts, Mismatch } from './fuzz-replica.ts';
import { rangesOf } from './fuzz-corpus.ts';
import { GUEST_ACTIONS, GUEST_SHARE } from './fuzz-guests.ts';
import { conceal, enlargeSpace, reveal } from './fuzz-sharing.ts';
import { UPHEAVALS, UPHEAVAL_SHARE } from './fuzz-upheavals.ts';
import { FuzzWorld, type FuzzHost } from './fuzz-world.ts';
import { streamOf, type Random } from './random.ts';

/** Most rounds of pulls until every replica must be complete. */
const SETTLE_ROUNDS = 2_000;
const SHORTEN_LIMIT_MS = 45_000;
const PULL_SHARE = 0.45;
const THEME_EMPHASIS = 5;
/** How often a space becomes a large one, and where the choices for that are drawn: apart, so that nothing else shifts. */
const ENLARGE_SHARE = 0.06;
const ENLARGE_PLACE = 1_000_000;
const GUEST_PLACE = 2_000_000;
const UPHEAVAL_PLACE = 3_000_000;

/** How one history differs from others. */
interface Regime {
  theme: Theme;
  /** Most pulls are of these replicas, so that they pull in the middle of things. */
  watched: readonly FuzzReplica[];
  /** Responses hold a handful of rows throughout. */
  tiny: boolean;
}

function randomRegime(fuzz: FuzzWorld, random: Random): Regime {
  const watched = Array.from({ length: random.between(2, 4) }, () => random.pick(fuzz.replicas));
  return { theme: random.pick(THEMES), watched, tiny: random.chance(0.5) };
}

function randomLimits(random: Random, tiny: boolean): PullLimits {
  const rows = () => (tiny ? random.between(3, 7) : random.between(1, 30));
  return {
    firstPageRows: rows(),
    pageRows: rows(),
    pageBytes: random.chance(0.3) ? random.between(1, 6_000) : 1_500_000,
    deltaLimit: random.between(1, tiny ? 3 : 30),
    deltaBytes: random.chance(0.3) ? random.between(1, 6_000) : 6_000_000,
    cookieMaxLagVersions: random.between(1, 20),
    cookieMaxAgeMs: random.between(1, 20_000),
  };
}

async function pullFrom(
  fuzz: FuzzWorld,
  random: Random,
  { replica, tiny }: { replica: FuzzReplica; tiny: boolean },
): Promise<PullFrom> {
  return {
    db: fuzz.host.world.database.pullDb,
    secret: fuzz.secret,
    steps: fuzz.host.steps,
    limits: randomLimits(random, tiny),
    everSeen: fuzz.seen(replica.userId),
    view: await fuzz.view(replica.userId, replica.realmId),
    isWatched: fuzz.host.watchEverything,
  };
}

type PullAction = (fuzz: FuzzWorld, random: Random, regime: Regime) => Promise<void>;

const pullOnce: PullAction = async (fuzz, random, { watched, tiny }) => {
  const replica = random.pick(random.chance(0.8) ? watched : fuzz.replicas);
  const times = random.chance(0.3) ? random.between(2, 8) : 1;
  for (let n = 0; n < times; n++) {
    if (await replica.pull(await pullFrom(fuzz, random, { replica, tiny }))) break;
  }
  if (random.chance(0.1)) fuzz.restores.push(replica.snapshot());
  if (random.chance(0.1)) fuzz.stolen.push(replica.cookie);
};

const loseReplica: PullAction = async (fuzz, random, { watched }) => {
  if (random.chance(0.5)) random.pick(watched).lose();
  else random.maybe(fuzz.restores)?.();
};

/** Cookies of others, and own ones with a claim changed, must never show a foreign row. */
const forge: PullAction = async (fuzz, random, { tiny }) => {
  const replica = random.pick(fuzz.replicas);
  const from = await pullFrom(fuzz, random, { replica, tiny });
  const answer = await replica.ask(from, forgedCookie(fuzz, random, replica));
  if (!('error' in answer)) checkPuts(answer, from.view);
};

function forgedCookie(fuzz: FuzzWorld, random: Random, replica: FuzzReplica): unknown {
  const stolen = random.maybe(fuzz.stolen);
  const own = replica.cookie;
  if (random.chance(0.5) || typeof own !== 'object' || own === null) {
    return random.pick([
      stolen ?? 7,
      'text',
      { order: 'zzz' },
      { order: '999999.0000000000000001.00000001' },
      [],
    ]);
  }
  const foreign = `u:${random.pick(fuzz.users)}@${fuzz.workspace}`;
  return random.pick<unknown>([
    { ...own, a: { [foreign]: [0, ''] } },
    { ...own, n: 0, lv: 0 },
    { ...own, sig: 'AAAA' },
    { ...own, more: 1 },
  ]);
}

/**
 * A phone with a bad connection: a first page, a backlog in which something becomes visible, a response with one change
 * and many rows, and then the thing becomes hidden again. Random steps alone reach this once in thousands.
 */
const meetBacklog: PullAction = async (fuzz, random, { watched, tiny }) => {
  const replica = random.pick(watched);
  const pull = async (limits: Partial<PullLimits>) => {
    const from = await pullFrom(fuzz, random, { replica, tiny });
    return replica.pull({ ...from, limits: { ...from.limits, pageBytes: 1_500_000, ...limits } });
  };
  await reveal(fuzz, random);
  await reveal(fuzz, random);
  await conceal(fuzz, random);
  replica.lose();
  await pull({ firstPageRows: random.between(1, 3) });
  for (let n = random.between(1, 4); n > 0; n--) await createMemory(fuzz, random);
  await reveal(fuzz, random);
  await pull({ deltaLimit: random.between(1, 2), pageRows: random.between(10, 200) });
  if (random.chance(0.8)) await conceal(fuzz, random);
  await pull({ deltaLimit: random.between(1, 30) });
};

/** A thread is closed to a person who has it open. */
const loseThread: PullAction = async (fuzz, random, { tiny }) => {
  const replica = random.pick(fuzz.replicas.filter(({ realmId }) => realmId === fuzz.workspace));
  const reader = fuzz.users.find((id) => id === replica.userId);
  const id = fuzz.id(random, 'thread');
  const thread = { id, at: fuzz.at(random), name: 'thread', visibility: 'workspace' as const };
  if (reader === undefined || reader === fuzz.owner) return;
  if (!(await fuzz.mutate(fuzz.owner, 'thread.create', thread))) return;
  fuzz.threads.push(id);
  const say = async () =>
    fuzz.mutate(fuzz.owner, 'message.create', {
      id: fuzz.id(random, 'message'),
      content: `m ${random.between(1, 99)}`,
      at: fuzz.at(random),
      threadId: id,
    });
  await fuzz.mutate(reader, 'thread.open', { id, at: fuzz.at(random) });
  if (random.chance(0.7)) await say();
  for (let n = random.between(1, 6); n > 0; n--) {
    if (await replica.pull(await pullFrom(fuzz, random, { replica, tiny: false }))) break;
  }
  await fuzz.mutate(fuzz.owner, 'thread.update', { id, at: fuzz.at(random), visibility: 'private' });
  await fuzz.view(reader, fuzz.workspace);
  for (let n = random.between(1, 3); n > 0; n--) await say();
  await replica.pull(await pullFrom(fuzz, random, { replica, tiny }));
};

const PULLING: readonly { name: string; weight: number; action: PullAction }[] = [
  { name: 'pull', weight: 40, action: pullOnce },
  { name: 'lose replica', weight: 4, action: loseReplica },
  { name: 'forge cookie', weight: 2, action: forge },
  { name: 'meet backlog', weight: 2, action: meetBacklog },
  { name: 'lose thread', weight: 1.5, action: loseThread },
];

function pickWeighted<T extends { weight: number }>(random: Random, table: readonly T[]): T {
  let rest = random.next() * table.reduce((sum, { weight }) => sum + weight, 0);
  for (const row of table) {
    rest -= row.weight;
    if (rest < 0) return row;
  }
  return random.pick(table);
}

/** After the history every replica catches up with everything, in pages as small as any. */
async function settle(fuzz: FuzzWorld, random: Random): Promise<void> {
  for (const replica of fuzz.replicas) {
    let rounds = 0;
    await fuzz.sendAgain(replica);
    while (!(await replica.pull(await pullFrom(fuzz, random, { replica, tiny: false })))) {
      rounds += 1;
      if (rounds > SETTLE_ROUNDS) {
        throw new Mismatch(`never complete: ${replica.rows.get(SYNC_STATE_KEY) ?? 'nothing received'}`);
      }
    }
    await replica.check(await pullFrom(fuzz, random, { replica, tiny: false }));
  }
  const lost = fuzz.lostRefusal();
  if (lost !== undefined) throw new Mismatch(`the refusal of ${lost} never reached its author`);
}

interface Step {
  name: string;
  weight: number;
  action: PullAction;
}

/** Plays the given steps of a seed. @throws Mismatch or whatever the product threw, with the trace */
export async function playHistory(host: FuzzHost, seed: number, steps: readonly number[]): Promise<void> {
  const fuzz = await FuzzWorld.create(host, streamOf(seed, -2));
  const regime = randomRegime(fuzz, streamOf(seed, -4));
  const actions = ACTIONS.map((row) => ({
    ...row,
    weight: row.theme === regime.theme ? row.weight * THEME_EMPHASIS : row.weight,
  }));
  try {
    for (const step of steps) {
      const random = streamOf(seed, step);
      const growth = streamOf(seed, ENLARGE_PLACE + step);
      if (host.enlarges !== false && growth.chance(ENLARGE_SHARE)) await enlargeSpace(fuzz, growth);
      const sharing = streamOf(seed, GUEST_PLACE + step);
      if (host.hasGuests !== false && sharing.chance(GUEST_SHARE)) {
        const { name, action } = pickWeighted(sharing, GUEST_ACTIONS);
        fuzz.trace.push(name);
        await action(fuzz, sharing);
        await fuzz.watch();
      }
      const upheaval = streamOf(seed, UPHEAVAL_PLACE + step);
      if (host.hasUpheavals !== false && upheaval.chance(UPHEAVAL_SHARE)) {
        const { name, action } = pickWeighted(upheaval, UPHEAVALS);
        fuzz.trace.push(name);
        await action(fuzz, upheaval);
        await fuzz.watch();
      }
      const pulls = random.chance(PULL_SHARE);
      const { name, action } = pickWeighted<Step>(random, pulls ? PULLING : actions);
      fuzz.trace.push(`${step}: ${name}`);
      await action(fuzz, random, regime);
      if (!pulls) await fuzz.watch();
    }
    fuzz.trace.push('settle');
    await settle(fuzz, streamOf(seed, -3));
  } catch (error) {
    throw new HistoryFailure(seed, steps, fuzz.trace, error);
  }
}

/** A history that went wrong. */
export class HistoryFailure extends Error {
  readonly seed: number;
  readonly steps: readonly number[];

  constructor(seed: number, steps: readonly number[], trace: readonly string[], cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `seed ${seed}, ${steps.length} steps: ${reason}\n${trace.slice(-60).join('\n')}\n` +
        `To play it in every run: npm run fuzz:keep -- ${seed} ${rangesOf(steps)}`,
      { cause },
    );
    this.name = 'HistoryFailure';
    this.seed = seed;
    this.steps = steps;
  }
}

async function failureOf(
  host: FuzzHost,
  seed: number,
  steps: readonly number[],
): Promise<HistoryFailure | undefined> {
  try {
    await playHistory(host, seed, steps);
    return undefined;
  } catch (error) {
    if (error instanceof HistoryFailure) return error;
    throw error;
  }
}

/** Leaves out ever smaller pieces as long as the history still fails and there is time: the test has to end by itself. */
export async function shorten(host: FuzzHost, failure: HistoryFailure): Promise<HistoryFailure> {
  const end = performance.now() + SHORTEN_LIMIT_MS;
  const isTime = () => performance.now() < end;
  let best = failure;
  let piece = Math.ceil(best.steps.length / 2);
  while (piece >= 1 && isTime()) {
    let shorter: HistoryFailure | undefined;
    for (let start = 0; start < best.steps.length && isTime(); start += piece) {
      shorter = await failureOf(host, best.seed, best.steps.toSpliced(start, piece));
      if (shorter !== undefined) break;
    }
    if (shorter === undefined) piece = Math.floor(piece / 2);
    else best = shorter;
  }
  return best;
}

/** Plays one seed; a failure is shortened first. @throws HistoryFailure */
export async function fuzzSeed(host: FuzzHost, seed: number, length: number): Promise<void> {
  const steps = Array.from({ length }, (_, step) => step);
  const failure = await failureOf(host, seed, steps);
  if (failure !== undefined) throw await shorten(host, failure);
}
