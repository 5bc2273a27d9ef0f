// Numbers of sync.

/** Nothing is stored as older than this, regardless of a client's clock or an imported archive. */
export const OLDEST_TIME = '1990-01-01T00:00:00.000Z';

/** How long the offline app trusts the last whoami, in days. */
export const OFFLINE_TRUST_DAYS = 30;

/** How long unsent changes of a signed-out user stay on the device, in days. */
export const UNSENT_KEEP_DAYS = 7;

export const SYNC = {
  schemaVersion: '1',
  /** Notes up to this many UTF-8 bytes are in the replica, longer ones are content-addressed bodies. */
  inlineNotesBytes: 4_096,
  /** Characters of longer notes that are sent with their memory, for lists. */
  beginningLength: 800,
  /** One mutation's JSON; large enough for the longest note, so no second upload path exists. */
  argsMaxBytes: 480 * 1024,
  pushMaxMutations: 100,
  pushMaxBytes: 512 * 1024,
  bodyLimitBytes: 2 * 1024 * 1024,
  pushTimeoutMs: 20_000,
  pullTimeoutMs: 30_000,
  pullIntervalMs: 60_000,
  firstPageRows: 300,
  pageRows: 2_000,
  pageBytes: 1_500_000,
  deltaLimit: 5_000,
  deltaBytes: 6_000_000,
  /** A no-op pull returns a new cookie only when the old one is this far behind. */
  cookieMaxLagVersions: 1_000,
  cookieMaxAgeMs: 24 * 3_600_000,
  maxPending: 5_000,
  watchdogMs: 5_000,
  /** Largest write-ahead journal of one replica; Replicache persists its entries within a second. */
  journalMaxBytes: 32 * 1024 * 1024,
  /** How often a mutation that a crash interrupted may be named as the same one. */
  replayMaxRefs: 16,
  clientMaxAgeMs: 30 * 24 * 3_600_000,
  tombstoneDays: 30,
  groupDays: 90,
  resultDays: 30,
  windowThreads: 100,
  windowMessages: 200,
  heartbeatMs: 20_000,
  pokeCoalesceMs: 25,
  pokeDebounceMs: 100,
  versionSweepMs: 2_000,
  reconnectMinMs: 500,
  reconnectMaxMs: 5_000,
  poisonAttempts: 5,
  poisonSpanMs: 10 * 60_000,
  bodyCacheMaxBytes: 200 * 1024 * 1024,
  bodyCacheQuotaShare: 0.2,
  /** Long texts in one request, and how many bytes of them an answer has before it ends. */
  textsPerRequest: 50,
  textsAnswerBytes: 1024 * 1024,
} as const;

/** How often a complete replica is compared with the server, and how long it is still before. Public pages carry SYNC whole, so this is apart. */
export const SYNC_CHECK = { everyMs: 24 * 3_600_000, quietMs: 10_000 } as const;

/** Event streams of one person in one process: one of pokes per browser profile, and one per followed thread. */
export const STREAMS_PER_PERSON = 40;

/** Rows of one answer to a client that follows a workspace, and characters of its cursor. */
export const CHANGES = { limit: 500, limitMax: 1_000, cursorMax: 100_000 } as const;
