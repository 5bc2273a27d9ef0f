// What is measured of sync: names, help, buckets, and every word that a label may hold. The registry is
// given, one for each context. Only numbers and these words come in here, nothing of a person or of what they keep.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { checkAnswer, type CheckState } from '#shared/sync/protocol.ts';

/** first and reset begin a replica, page goes on with it; closed: nothing may be read; forgotten: begin as a new group. */
const PULL_ANSWERS = ['first', 'page', 'changes', 'unchanged', 'reset', 'closed', 'forgotten'] as const;
export type PullKind = (typeof PULL_ANSWERS)[number];

/** Why a replica begins anew; resets.ts says what each word means. */
const RESET_REASONS = [
  'new',
  'asked',
  'unreadable',
  'restored',
  'reopened',
  'collected',
  'forgotten',
] as const;
export type ResetReason = (typeof RESET_REASONS)[number];

/**
 * repeated: taken before; set_aside: failed again and again; early and unknown_client: left for another push; failed:
 * rolled back by a fault of ours.
 */
const MUTATION_OUTCOMES = [
  'applied',
  'refused',
  'repeated',
  'set_aside',
  'early',
  'unknown_client',
  'failed',
] as const;
export type MutationOutcome = (typeof MUTATION_OUTCOMES)[number];

/** first: all together and without savepoints; again: with care, after something in them failed. */
const PUSH_TRIES = ['first', 'again'] as const;
export type PushTry = (typeof PUSH_TRIES)[number];

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAITING_SECONDS = [0.1, 1, 5, 30, 60, 600, 3600, 6 * 3600, 86_400, 7 * 86_400, 30 * 86_400];
const ROWS = [0, 1, 10, 100, 300, 1000, 2000, 5000];
const BYTES = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];
const AUDIENCES = [0, 1, 2, 5, 10, 20, 50, 100, 200];
const VERSIONS = [0, 1, 2, 5, 10, 50, 100, 1000, 10_000];
const REPLICA_ROWS = [10, 100, 1000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000];
const STORAGE_BYTES = [1e6, 5e6, 1e7, 5e7, 1e8, 2e8, 5e8, 1e9, 5e9];

export interface PullFacts {
  kind: PullKind;
  reset?: ResetReason | undefined;
  rows: number;
  /** How many audiences the reader has. */
  audiences: number;
  /** Versions between the replica's position and the realm; undefined when it has no position. */
  behind?: number | undefined;
}

export interface PullMeasure {
  answered(facts: PullFacts): void;
  /** The response is ready to be sent; without this nothing is counted. */
  done(bytes: number): void;
}

/** A stream that can say how many versions its slowest realm is behind. */
export interface LaggingStream {
  readonly lag: number;
}

export interface SyncMetrics {
  beginPull(): PullMeasure;
  /** A push found that the client group has to begin anew. */
  forgotten(): void;
  pushed(startedAt: number): void;
  mutated(outcome: MutationOutcome, count?: number): void;
  pushTried(how: PushTry): void;
  /** A write owns its version now; it began to wait at this value of performance.now. */
  realmLocked(askedAt: number): void;
  writeRetried(): void;
  /** Streams that are open now. */
  streams: Set<LaggingStream>;
  /** A poke has left, of a commit at this time of day; undefined when the time is unknown. */
  poked(committedAt: number | undefined): void;
  checked(state: CheckState): void;
  /** The feed names a row that is gone. */
  orphaned(): void;
  /** A device has a change that the server has not confirmed, this old. */
  deviceWaits(ms: number | undefined): void;
  /** A device was found to have what it should: so many rows, in so many bytes if its browser can say. */
  deviceHolds(rows: number, storageBytes: number | undefined): void;
}

/** Declares the metrics of sync in a registry that has none of them yet. */
export function createSyncMetrics(registry: Registry): SyncMetrics {
  const streams = new Set<LaggingStream>();
  declareStreams(registry, streams);
  return {
    ...pullMetrics(registry),
    ...writeMetrics(registry),
    ...streamMetrics(registry),
    ...deviceMetrics(registry),
    streams,
  };
}

function pullMetrics(registry: Registry): Pick<SyncMetrics, 'beginPull' | 'forgotten'> {
  const labelNames = ['answer'];
  const seconds = histogram(registry, {
    name: 'loci_sync_pull_duration_seconds',
    help: 'Time of a pull until its answer is ready, by what was answered.',
    ...{ labelNames, buckets: SECONDS },
  });
  const rows = histogram(registry, {
    name: 'loci_sync_pull_rows',
    help: 'Rows sent and deleted by one answer to a pull.',
    ...{ labelNames, buckets: ROWS },
  });
  const bytes = histogram(registry, {
    name: 'loci_sync_pull_bytes',
    help: 'Size of one answer to a pull before compression.',
    ...{ labelNames, buckets: BYTES },
  });
  const behind = histogram(registry, {
    name: 'loci_sync_pull_versions_behind',
    help: 'Versions that were written since the position of the replica that pulls.',
    buckets: VERSIONS,
  });
  const audiences = histogram(registry, {
    name: 'loci_sync_reader_audiences',
    help: 'Audiences of the person who pulls, in the realm of the pull.',
    buckets: AUDIENCES,
  });
  const resets = counter(registry, {
    name: 'loci_sync_resets_total',
    help: 'Replicas that begin anew, by reason.',
    ...{ label: 'reason', words: RESET_REASONS },
  });
  const observe = (startedAt: number, facts: PullFacts, size: number) => {
    const answer = { answer: facts.kind };
    seconds.observe(answer, secondsSince(startedAt));
    rows.observe(answer, facts.rows);
    bytes.observe(answer, size);
    audiences.observe(facts.audiences);
    if (facts.behind !== undefined) behind.observe(facts.behind);
    if (facts.reset !== undefined) resets(facts.reset);
  };
  return {
    beginPull() {
      const startedAt = performance.now();
      let found: PullFacts | undefined;
      return {
        answered: (facts) => (found = facts),
        done: (size) => found && observe(startedAt, found, size),
      };
    },
    forgotten: () => resets('forgotten'),
  };
}

type WriteMetrics = 'pushed' | 'mutated' | 'pushTried' | 'realmLocked' | 'writeRetried';

function writeMetrics(registry: Registry): Pick<SyncMetrics, WriteMetrics> {
  const seconds = histogram(registry, {
    name: 'loci_sync_push_duration_seconds',
    help: 'Time of a push until its answer is ready.',
    buckets: SECONDS,
  });
  const wait = histogram(registry, {
    name: 'loci_sync_lock_wait_seconds',
    help: 'Time of a write from asking for its realm to owning the next version: the queue of this process and the lock.',
    buckets: SECONDS,
  });
  const retries = new Counter({
    name: 'loci_sync_write_retries_total',
    help: 'Writes that the database asked to begin again.',
    registers: [registry],
  });
  return {
    pushed: (startedAt) => seconds.observe(secondsSince(startedAt)),
    mutated: counter(registry, {
      name: 'loci_sync_mutations_total',
      help: 'Pushed mutations by what became of them.',
      ...{ label: 'outcome', words: MUTATION_OUTCOMES },
    }),
    pushTried: counter(registry, {
      name: 'loci_sync_push_transactions_total',
      help: 'Transactions of pushes: first together, again with savepoints or one by one after something failed.',
      ...{ label: 'try', words: PUSH_TRIES },
    }),
    realmLocked: (askedAt) => wait.observe(secondsSince(askedAt)),
    writeRetried: () => retries.inc(),
  };
}

function declareStreams(registry: Registry, streams: ReadonlySet<LaggingStream>): void {
  const open = new Gauge({
    name: 'loci_sync_streams',
    help: 'Streams of pokes that are open.',
    registers: [],
    collect() {
      this.set(streams.size);
    },
  });
  const lag = new Gauge({
    name: 'loci_sync_stream_version_lag_max',
    help: 'Versions that this process knows and the stream furthest behind has not been told.',
    registers: [],
    collect() {
      this.set(Math.max(0, ...[...streams].map((stream) => stream.lag)));
    },
  });
  for (const gauge of [open, lag]) registry.registerMetric(gauge);
}

function streamMetrics(registry: Registry): Pick<SyncMetrics, 'poked' | 'checked' | 'orphaned'> {
  const lag = histogram(registry, {
    name: 'loci_sync_poke_lag_seconds',
    help: 'Time from the commit of a version, on whatever node, to its poke leaving on a stream.',
    buckets: SECONDS,
  });
  const orphans = new Counter({
    name: 'loci_sync_feed_orphans_total',
    help: 'Entries of the feed without a row, found by pulls; never anything but a fault.',
    registers: [registry],
  });
  return {
    poked: (committedAt) => {
      // The clocks of two nodes may differ a little.
      const waited = Math.max(0, Date.now() - (committedAt ?? Number.NaN));
      if (Number.isFinite(waited)) lag.observe(waited / 1000);
    },
    checked: counter(registry, {
      name: 'loci_sync_checks_total',
      help: 'Comparisons of replicas with the server; unknown when the realm had moved on.',
      ...{ label: 'outcome', words: checkAnswer.shape.state.options },
    }),
    orphaned: () => orphans.inc(),
  };
}

/** What devices report about themselves. */
function deviceMetrics(registry: Registry): Pick<SyncMetrics, 'deviceWaits' | 'deviceHolds'> {
  const waiting = histogram(registry, {
    name: 'loci_sync_device_pending_age_seconds',
    help: 'Age of the oldest change that a device has and the server has not confirmed, as told with pulls.',
    buckets: WAITING_SECONDS,
  });
  const rows = histogram(registry, {
    name: 'loci_sync_device_rows',
    help: 'Rows on a device that was compared with the server and found right.',
    buckets: REPLICA_ROWS,
  });
  const bytes = histogram(registry, {
    name: 'loci_sync_device_storage_bytes',
    help: 'What the browser of such a device keeps for the site.',
    buckets: STORAGE_BYTES,
  });
  return {
    deviceWaits: (ms) => {
      if (ms !== undefined) waiting.observe(ms / 1000);
    },
    deviceHolds: (count, storageBytes) => {
      rows.observe(count);
      if (storageBytes !== undefined) bytes.observe(storageBytes);
    },
  };
}

const secondsSince = (moment: number): number => (performance.now() - moment) / 1000;

function histogram(
  registry: Registry,
  given: { name: string; help: string; buckets: number[]; labelNames?: string[] },
): Histogram {
  // The library freezes the buckets that it is given.
  return new Histogram({ ...given, buckets: [...given.buckets], registers: [registry] });
}

/** A counter with one label of fixed words, each of them there from the start, so that its first rise can be seen. */
function counter<W extends string>(
  registry: Registry,
  { label, words, ...given }: { name: string; help: string; label: string; words: readonly W[] },
): (word: W, count?: number) => void {
  const made = new Counter({ ...given, labelNames: [label], registers: [registry] });
  for (const word of words) made.inc({ [label]: word }, 0);
  return (word, count = 1) => made.inc({ [label]: word }, count);
}
