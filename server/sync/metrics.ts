// Metrics of sync: names, help, buckets, and every value of a label. The registry is a parameter, one for each context. Only
// numbers and these values are recorded, no personal data and no content.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { checkAnswer, type CheckState } from '#shared/sync/protocol.ts';

/** first and reset begin a replica, page continues it; closed: no access; forgotten: begin as a new group. */
const PULL_ANSWERS = ['first', 'page', 'changes', 'unchanged', 'reset', 'closed', 'forgotten'] as const;
type PullKind = (typeof PULL_ANSWERS)[number];

/** Why a replica begins anew; resets.ts explains each value. */
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
 * repeated: processed before; set_aside: failed again and again; early and unknown_client: left for another push; failed:
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

/** first: all together and without savepoints; again: with savepoints, after one of them failed. */
const PUSH_TRIES = ['first', 'again'] as const;
type PushTry = (typeof PUSH_TRIES)[number];

/** behind: it lacks what the replica has seen. */
const STANDBY_OUTCOMES = ['answered', 'behind', 'failed'] as const;
type StandbyOutcome = (typeof STANDBY_OUTCOMES)[number];

/** What nodes hear of each other through: postgres always, if only for sessions that end, and nats where it is configured. */
export type MessageBus = 'postgres' | 'nats';

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

interface PullMeasure {
  answered(facts: PullFacts): void;
  /** The response is ready to be sent; without this the pull is not counted. */
  done(bytes: number): void;
}

/** A stream that reports how many versions its slowest realm is behind. */
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
  /** The connection to a bus works, or does not; the sweep of versions replaces it then. */
  listening(bus: MessageBus, isConnected: boolean): void;
  /** A poke has left, of a commit at this time of day; undefined when the time is unknown. */
  poked(committedAt: number | undefined): void;
  checked(state: CheckState): void;
  standbyRead(outcome: StandbyOutcome): void;
  /** The feed names a deleted row. */
  orphaned(): void;
  /** A device has a change that the server has not confirmed, this old. */
  deviceWaits(ms: number | undefined): void;
  /** A device was found to be complete: its number of rows, and its bytes if the browser reports them. */
  deviceHolds(rows: number, storageBytes: number | undefined): void;
}

/** Declares the metrics of sync in a registry that has none of them yet. */
export function createSyncMetrics(registry: Registry): SyncMetrics {
  const streams = new Set<LaggingStream>();
  const registers = [registry];
  const histogram = (name: string, help: string, buckets: readonly number[], labelNames: string[] = []) =>
    new Histogram({ name, help, buckets: [...buckets], labelNames, registers });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const total = (name: string, help: string) => new Counter({ name, help, registers });
  /** A counter with one label of fixed words, each of them there from the start, so that its first rise can be seen. */
  const totals = <W extends string>(name: string, label: string, words: readonly W[], help: string) => {
    const made = new Counter({ name, help, labelNames: [label], registers });
    for (const word of words) made.inc({ [label]: word }, 0);
    return (word: W, count = 1) => made.inc({ [label]: word }, count);
  };

  const pullSeconds = histogram(
    'loci_sync_pull_duration_seconds',
    'Time of a pull until its answer is ready, by what was answered.',
    SECONDS,
    ['answer'],
  );
  const pullRows = histogram('loci_sync_pull_rows', 'Rows sent and deleted by one answer to a pull.', ROWS, [
    'answer',
  ]);
  const pullBytes = histogram(
    'loci_sync_pull_bytes',
    'Size of one answer to a pull before compression.',
    BYTES,
    ['answer'],
  );
  const behind = histogram(
    'loci_sync_pull_versions_behind',
    'Versions that were written since the position of the replica that pulls.',
    VERSIONS,
  );
  const audiences = histogram(
    'loci_sync_reader_audiences',
    'Audiences of the person who pulls, in the realm of the pull.',
    AUDIENCES,
  );
  const resets = totals(
    'loci_sync_resets_total',
    'reason',
    RESET_REASONS,
    'Replicas that begin anew, by reason.',
  );
  const pushSeconds = histogram(
    'loci_sync_push_duration_seconds',
    'Time of a push until its answer is ready.',
    SECONDS,
  );
  const lockWait = histogram(
    'loci_sync_lock_wait_seconds',
    'Time of a write from asking for its realm to owning the next version: the queue of this process and the lock.',
    SECONDS,
  );
  const retries = total('loci_sync_write_retries_total', 'Writes that the database asked to begin again.');
  const pokeLag = histogram(
    'loci_sync_poke_lag_seconds',
    'Time from the commit of a version, on whatever node, to its poke leaving on a stream.',
    SECONDS,
  );
  const orphans = total(
    'loci_sync_feed_orphans_total',
    'Entries of the feed without a row, found by pulls; never anything but a fault.',
  );
  const deviceWaiting = histogram(
    'loci_sync_device_pending_age_seconds',
    'Age of the oldest change that a device has and the server has not confirmed, as told with pulls.',
    WAITING_SECONDS,
  );
  const deviceRows = histogram(
    'loci_sync_device_rows',
    'Rows on a device that was compared with the server and found right.',
    REPLICA_ROWS,
  );
  const deviceBytes = histogram(
    'loci_sync_device_storage_bytes',
    'What the browser of such a device keeps for the site.',
    STORAGE_BYTES,
  );
  const listening = new Gauge({
    name: 'loci_sync_listening',
    help: 'Whether this process listens to a message bus; 0 while it finds the commits of other processes by looking.',
    labelNames: ['bus'],
    registers,
  });
  gauge('loci_sync_streams', 'Streams of pokes that are open.', () => streams.size);
  gauge(
    'loci_sync_stream_version_lag_max',
    'Versions that this process knows and the stream furthest behind has not been told.',
    () => Math.max(0, ...[...streams].map((stream) => stream.lag)),
  );

  return {
    streams,
    beginPull() {
      const startedAt = performance.now();
      let facts: PullFacts | undefined;
      return {
        answered: (given) => (facts = given),
        done(size) {
          if (!facts) return;
          const answer = { answer: facts.kind };
          pullSeconds.observe(answer, secondsSince(startedAt));
          pullRows.observe(answer, facts.rows);
          pullBytes.observe(answer, size);
          audiences.observe(facts.audiences);
          if (facts.behind !== undefined) behind.observe(facts.behind);
          if (facts.reset !== undefined) resets(facts.reset);
        },
      };
    },
    forgotten: () => resets('forgotten'),
    pushed: (startedAt) => pushSeconds.observe(secondsSince(startedAt)),
    mutated: totals(
      'loci_sync_mutations_total',
      'outcome',
      MUTATION_OUTCOMES,
      'Pushed mutations by what became of them.',
    ),
    pushTried: totals(
      'loci_sync_push_transactions_total',
      'try',
      PUSH_TRIES,
      'Transactions of pushes: first together, again with savepoints or one by one after something failed.',
    ),
    realmLocked: (askedAt) => lockWait.observe(secondsSince(askedAt)),
    writeRetried: () => retries.inc(),
    listening: (bus, isConnected) => listening.set({ bus }, Number(isConnected)),
    poked(committedAt) {
      // The clocks of two nodes may differ a little.
      const waited = Math.max(0, Date.now() - (committedAt ?? Number.NaN));
      if (Number.isFinite(waited)) pokeLag.observe(waited / 1000);
    },
    checked: totals(
      'loci_sync_checks_total',
      'outcome',
      checkAnswer.shape.state.options,
      'Comparisons of replicas with the server; unknown when the realm had moved on.',
    ),
    standbyRead: totals(
      'loci_sync_standby_reads_total',
      'outcome',
      STANDBY_OUTCOMES,
      'Reads asked of the standby; what is behind or failed there was read from the primary.',
    ),
    orphaned: () => orphans.inc(),
    deviceWaits(ms) {
      if (ms !== undefined) deviceWaiting.observe(ms / 1000);
    },
    deviceHolds(count, storageBytes) {
      deviceRows.observe(count);
      if (storageBytes !== undefined) deviceBytes.observe(storageBytes);
    },
  };
}

const secondsSince = (moment: number): number => (performance.now() - moment) / 1000;
