// Every number and fixed word of the product with unit and meaning. A number that stands here stands nowhere else.

export const PRODUCT_NAME = 'Loci';

/** Lists (specification section 9). */
export const PAGE_SIZE = 20;
export const PAGE_SIZE_MAX = 100;
export const PAGE_NUMBER_MAX = 10_000;
export const RANDOM_LIMIT = 20;
export const RANDOM_LIMIT_MAX = 100;

/** Times of the app in milliseconds (specification sections 2, 4, 5 and 9). */
export const LOGOUT_REDIRECT_DELAY_MS = 200;
export const SHORTCUT_CHAIN_MS = 800;
export const NEWSLETTER_VALIDATION_DELAY_MS = 300;
export const BUILD_CHECK_INTERVAL_MS = 3_600_000;
export const BUILD_CHECK_FIRST_MS = 1_000;
export const RELOAD_GUARD_MS = 10_000;
export const LOADING_BAR = {
  throttleMs: 200,
  durationMs: 2_000,
  hideDelayMs: 500,
  resetDelayMs: 400,
  heightPx: 3,
} as const;
export const TOAST = { closeMs: 5_000, maxVisible: 5, removeDelayMs: 200, hotkey: 'F8' } as const;
/** FRONTEND 15: when the application offers to be installed, and for how long it does not once put away. */
export const INSTALL_OFFER = { afterSaves: 3, snoozeMs: 30 * 24 * 3_600_000 } as const;
export const TOOLTIP = { delayMs: 700, skipDelayMs: 300 } as const;
export const COPIED_RESET_MS = 1_500;
export const ICON_FETCH_TIMEOUT_MS = 1_500;

/** Length limits of fields in characters, counts where the name says so (PRODUCT 5.16). */
export const LIMITS = {
  title: 300,
  description: 2_000,
  summary: 4_000,
  notes: 100_000,
  name: 120,
  tag: 64,
  tagCount: 50,
  url: 2_048,
  message: 16_000,
  slugMin: 2,
  slugMax: 48,
  email: 254,
  searchQuery: 500,
  ratingComment: 1_000,
  filename: 255,
  /** A text file that becomes one memory; more cannot fit into its notes in any encoding of Unicode. */
  textFileBytes: 512 * 1024,
} as const;

/** Bodies of calls in bytes, after decompression (SECURITY 3.13; 3.9 for those of whom nobody knows who sends them). */
export const BODY_LIMITS = { json: 1024 * 1024, anonymous: 4 * 1024 } as const;

/** Passwords in code points after NFKC (SECURITY P2). */
export const PASSWORD = { min: 8, max: 256 } as const;

/** Sessions: sliding idle time and absolute end, touch granularity (SECURITY S2). */
export const SESSION = { idleDays: 30, absoluteDays: 90, touchMs: 5 * 60_000 } as const;
/** Nothing is stored as older than this, whatever a client's clock or an imported archive says. */
export const OLDEST_TIME = '1990-01-01T00:00:00.000Z';
/** How long the offline app trusts the last whoami, in days (PRODUCT 5.5). */
export const OFFLINE_TRUST_DAYS = 30;
/** How long unsent changes of a signed-out user stay on the device, in days (PRODUCT 5.5 is the stricter page). */
export const UNSENT_KEEP_DAYS = 7;
/** Deleted memories, spaces and threads can be brought back for so many days. */
export const TRASH_DAYS = 30;
/** A deleted workspace can be taken back by its owner for so many days (PRODUCT 5.16). */
export const WORKSPACE_KEEP_DAYS = 14;
/** Renamed slugs redirect for so many days. */
export const SLUG_REDIRECT_DAYS = 90;
/** The same event about the same thing within this time counts up one notification. */
export const NOTIFICATION_DEDUPE_MS = 10 * 60_000;
/** Capsule leaves out items younger than this, unless fewer than RANDOM_LIMIT remain. */
export const CAPSULE_MIN_AGE_DAYS = 7;

/** Names of the two cookies the page keeps; the server reads neither (PRODUCT 5.17, SECURITY 5.8). */
export const COOKIES = { session: 'auth_session', workspace: 'workspace_id' } as const;

/** Sync (SYNC sections 2 and 5). */
export const SYNC = {
  schemaVersion: '1',
  /** Notes up to this many UTF-8 bytes travel in the replica, longer ones as content-addressed bodies. */
  inlineNotesBytes: 4_096,
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
  /** A no-op pull answers with a new cookie only when the old one is this far behind. */
  cookieMaxLagVersions: 1_000,
  cookieMaxAgeMs: 24 * 3_600_000,
  maxPending: 5_000,
  watchdogMs: 5_000,
  /** What the write-ahead journal of one replica may hold; Replicache takes it over within a second. */
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
  bodyPrefetch: 100,
} as const;

/** How often a complete replica is compared with the server, and how long it is still before. Public pages carry SYNC whole, so this is apart. */
export const SYNC_CHECK = { everyMs: 24 * 3_600_000, quietMs: 10_000 } as const;

/** Messages on one page of a public thread; links of its feed name the page of their message. */
export const PUBLIC_PAGE_MESSAGES = 50;

/** Exports of threads (PRODUCT 5.11). */
export const EXPORT_MESSAGES_MAX = 2_000;

/** Following a thread as it is written (PRODUCT 5.7). */
export const FOLLOW = {
  snapshotMessages: 50,
  pingMs: 15_000,
  idleMs: 10 * 60_000,
  streamsPerSession: 10,
  streamsPerAddress: 3,
} as const;

/** Import of archives (SECURITY 3.12). */
export const IMPORT = {
  maxArchiveBytes: 100 * 1024 * 1024,
  maxEntries: 10_000,
  maxUnpackedBytes: 500 * 1024 * 1024,
  maxRatio: 100,
  chunkRows: 500,
} as const;

/** First path segments that a workspace slug may not take (PRODUCT 5.16, FRONTEND 4); also anything starting with a dot. */
export const RESERVED_WORKSPACE_SLUGS: ReadonlySet<string> = new Set(
  (
    'login signup logout reset-password forgot-password imp auth oauth onboarding explore pricing ' +
    'request-access blog docs p api v1 mcp assets static admin settings about terms privacy help status ' +
    'support www app feed sitemap robots favicon manifest sw og oembed _share _open healthz readyz metrics'
  ).split(' '),
);
export const RESERVED_SPACE_SLUGS: ReadonlySet<string> = new Set(['p', 'new']);

/** Public calls (PRODUCT 5.12 and 5.13). */
export const PUBLIC = {
  queryMin: 2,
  queryMax: 200,
  trendingMax: 50,
  trendingPerWorkspace: 3,
  trendingMinMemories: 3,
  trendingCacheMs: 10 * 60_000,
  trendingDays: 7,
  cloneWeight: 5,
  visitorThreadWeight: 3,
  ageOffsetDays: 2,
  agePower: 1.2,
  /** So many different reporters within a day hide a thing from lists until somebody decides. */
  hideAfterReporters: 3,
  cloneMaxMemories: 2_000,
} as const;
