// Every number and fixed word of the product with unit and meaning. A number defined here is defined nowhere else.

export const PRODUCT_NAME = 'Loci';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const PAGE_SIZE = 20;
export const PAGE_SIZE_MAX = 100;
export const PAGE_NUMBER_MAX = 10_000;
export const RANDOM_LIMIT = 20;
export const RANDOM_LIMIT_MAX = 100;

/** Times of the app in milliseconds. */
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
/** Where the installed application starts, as its manifest says. */
export const INSTALLED_START = '/login?source=pwa';
/** When the application offers to be installed, and for how long it does not once put away. */
export const INSTALL_OFFER = { afterSaves: 3, snoozeMs: 30 * 24 * 3_600_000 } as const;
export const TOOLTIP = { delayMs: 700, skipDelayMs: 300 } as const;
export const COPIED_RESET_MS = 1_500;
export const ICON_FETCH_TIMEOUT_MS = 1_500;

/** Length limits of fields in characters, or counts, according to their names. */
export const LIMITS = {
  title: 300,
  description: 2_000,
  summary: 4_000,
  /** The first words of a text in plain characters. */
  excerpt: 280,
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

/** The most rows that one mutation changes. */
export const MANY_MAX = 1_000;
/** How many the application changes with one mutation: others wait for the whole of it before they can write. */
export const MANY_STEP = 250;
/** How many spaces a person can pin and order in the sidebar, and how many filters they can save. */
export const SIDEBAR = { pinned: 200, ordered: 1_000, filters: 50 } as const;

/** The most spaces that an API key or a connected app can be limited to. */
export const CREDENTIAL_SPACES_MAX = 1_000;

/** Bodies of calls in bytes, after decompression; less for senders that are not signed in. */
export const BODY_LIMITS = { json: 1024 * 1024, anonymous: 4 * 1024 } as const;

/** Passwords in code points after NFKC. */
export const PASSWORD = { min: 8, max: 256 } as const;

/** Sessions: sliding idle time and absolute end, and how long an entered password counts as fresh. */
export const SESSION = { idleDays: 30, absoluteDays: 90, confirmedMs: 12 * 3_600_000 } as const;
/** The last use of a session or an API key is written at most this often. */
export const CREDENTIAL_TOUCH_MS = 5 * 60_000;
/** The code that confirms an address, and how long the mailed links work. */
export const EMAIL_CODE = { ms: 15 * 60_000, tries: 5 } as const;
export const EMAIL_LINK_MS = {
  verify: 24 * 3_600_000,
  reset: 3_600_000,
  /** Proves the new address of an account. */
  change: 24 * 3_600_000,
  /** Restores the earlier address of an account. */
  restore: 72 * 3_600_000,
} as const;
/** A log-in at an identity provider: time for the person there, and for the page to use the one-time code. */
export const PROVIDER_SIGN_IN = {
  requestMs: 10 * 60_000,
  proofMs: 60_000,
  /** While the person looks for a code of the second factor. */
  secondFactorMs: 5 * 60_000,
} as const;
/** Passkeys: time to answer a challenge, and how many an account may have. */
export const PASSKEYS = { challengeMs: 5 * 60_000, max: 20 } as const;
/** Codes of authenticator apps: neighbouring time steps that count too, for clocks that are off, and recovery codes. */
export const SECOND_FACTOR = {
  digits: 6,
  periodSeconds: 30,
  window: 1,
  recoveryCodes: 10,
  recoveryCodeLength: 16,
} as const;
/** Early access: days for which the link of an approval works, time to confirm the newsletter sign-up, and people per batch. */
export const EARLY_ACCESS = { linkDays: 14, confirmMs: 24 * 3_600_000, batchMax: 1_000 } as const;
/** Days in which logging in restores a closed account. */
export const ACCOUNT_KEEP_DAYS = 14;
/**
 * Invitations: days until they expire, how many one person may send and one workspace may have open, and days for which ended
 * ones are stored.
 */
export const INVITE = { days: 7, perPersonADay: 50, pendingMax: 200, keepDays: 90 } as const;
/** Sharing with named people: grants of one space or thread, and addresses that one person can have mailed a day. */
export const GUESTS = { perPlace: 200, mailsADay: 50 } as const;
/** Days until an API key expires unless its owner chooses otherwise. */
export const API_KEY_DAYS = 365;
/** The OAuth provider: lifetimes in seconds unless the name says otherwise. */
export const OAUTH = {
  codeSeconds: 60,
  accessSeconds: 3_600,
  /** From the first refresh token on; rotation does not extend it. */
  refreshSeconds: 30 * 86_400,
  idTokenSeconds: 3_600,
  /** Reuse of a code or refresh token within this time is refused without ending the grant: the response may have been lost. */
  repetitionMs: 10_000,
  keyRotationMs: 90 * 86_400_000,
  /** A new key is published this long before it signs. */
  keyPublishedAheadMs: 24 * 3_600_000,
  clockToleranceSeconds: 30,
  redirectUrisMax: 10,
  clientsPerWorkspace: 100,
  /** Days after which a client that registered itself and was never used is removed. */
  unusedClientDays: 30,
  /** Days after which a consent without active tokens is deleted. */
  idleGrantDays: 90,
  /** Age up to which an entered password still counts for `prompt=login`. */
  loginFreshMs: 5 * 60_000,
  bodyBytes: 56 * 1024,
  documentBytes: 64 * 1024,
} as const;
/** Nothing is stored as older than this, regardless of a client's clock or an imported archive. */
export const OLDEST_TIME = '1990-01-01T00:00:00.000Z';
/** How long the offline app trusts the last whoami, in days. */
export const OFFLINE_TRUST_DAYS = 30;
/** How long unsent changes of a signed-out user stay on the device, in days. */
export const UNSENT_KEEP_DAYS = 7;
/** Days within which deleted memories, spaces and threads can be restored. */
export const TRASH_DAYS = 30;
/** Days in which its owner can restore a deleted workspace. */
export const WORKSPACE_KEEP_DAYS = 14;
export const SLUG_REDIRECT_DAYS = 90;
/** The same event about the same resource within this time raises the count of one notification. */
export const NOTIFICATION_DEDUPE_MS = 10 * 60_000;
/** Digests of notifications: hour of the person's day, day of the week (0 = Sunday), and items of one mail. */
export const DIGEST = { hour: 8, weekday: 1, itemsMax: 50 } as const;
/** Days for which a link that turns e-mails off works. */
export const UNSUBSCRIBE_DAYS = 90;
/** Web push: browsers of one person, seconds for which a push service retains a message, characters of its text. */
export const PUSH = { perPerson: 20, ttlSeconds: 24 * 3_600, textMax: 300 } as const;
/** Staff who act as another person: how long a code and a session work, and characters of the reason. */
export const IMPERSONATION = {
  codeMs: 5 * 60_000,
  sessionMs: 30 * 60_000,
  reasonMin: 10,
  reasonMax: 500,
} as const;
/** Days after which events of the audit log are removed. */
export const AUDIT = { keepDays: 365 } as const;
/** Capsule leaves out items younger than this, unless fewer than RANDOM_LIMIT remain. */
export const CAPSULE_MIN_AGE_DAYS = 7;
/** Days for which a memory kept in the capsule does not appear in it again. */
export const CAPSULE_REST_DAYS = 30;
/** Number of memories in a capsule that share a space or a tag with recently saved ones. */
export const CAPSULE_TIED = 5;

/** Names of the two cookies that the page sets; the server reads neither. */
export const COOKIES = { session: 'auth_session', workspace: 'workspace_id' } as const;

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

/** Messages on one page of a public thread; links of its feed name the page of their message. */
export const PUBLIC_PAGE_MESSAGES = 50;

export const EXPORT_MESSAGES_MAX = 2_000;

/** Following a thread as it is written. */
export const FOLLOW = {
  snapshotMessages: 50,
  pingMs: 15_000,
  idleMs: 10 * 60_000,
  streamsPerAddress: 3,
  /** How often the text of an answer is read while it is written, and how long after a question one is looked for. */
  draftMs: 250,
  awaitedMs: 3 * 60_000,
} as const;

/** Event streams of one person in one process: one of pokes per browser profile, and one per followed thread. */
export const STREAMS_PER_PERSON = 40;

/** Rows of one answer to a client that follows a workspace, and characters of its cursor. */
export const CHANGES = { limit: 500, limitMax: 1_000, cursorMax: 100_000 } as const;

/** Webhooks of a workspace: how changes are gathered and sent, when a failed delivery is tried again, and for how long. */
export const WEBHOOKS = {
  perWorkspace: 10,
  gatherMs: 200,
  /** Seconds after each failed attempt, as the Standard Webhooks specification recommends: about three days in all. */
  retrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  disabledAfterDays: 5,
  logDays: 30,
} as const;

/** Import of archives. */
export const IMPORT = {
  /** Of a zip that is sent in parts. */
  maxArchiveBytes: 2 * 1024 * 1024 * 1024,
  /** Of what is in memory as a whole: one file, the body of a request, folders that the app packs. */
  maxWholeBytes: 100 * 1024 * 1024,
  /** An export of Loci has a Markdown file for each memory. */
  maxEntries: 300_000,
  /** Bookmarks, notes or conversations in one export. */
  maxItems: 250_000,
  maxUnpackedBytes: 500 * 1024 * 1024,
  /** Files that are read one by one. */
  maxFilesBytes: 4 * 1024 * 1024 * 1024,
  maxRatio: 100,
  chunkRows: 500,
  /** Characters of text after which a chunk is written. */
  chunkCharacters: 1_000_000,
  /** Bytes of files after which a chunk is written. */
  chunkBytes: 32 * 1024 * 1024,
  readerMemoryMb: 1_024,
  /** Links of one import whose pages are fetched at once, after all other jobs; the others follow hourly. */
  pagesAtOnce: 1_000,
  /** After so long the next import has its turn, and this one continues behind those that wait. */
  turnMs: 5_000,
  /** An import that has not ended by then ends as failed; it counts again from the answer to its question. */
  maxHours: 6,
  /** The app asks before an import makes more new spaces than this. */
  spacesUnasked: 20,
  /** An import whose question is not answered by then ends as failed. */
  askDays: 7,
} as const;

/** Fetching the page behind a link. */
export const CAPTURE = {
  pageBytesMax: 10 * 1024 * 1024,
  /** Characters of a page's text that are stored. */
  pageTextMax: 1_000_000,
  /** A page with a password field and fewer words than this is only a log-in form. */
  loginWordsMax: 60,
  readerMemoryMb: 512,
  /** Waits before the second and the third attempt. */
  retryDelaysSeconds: [30, 120],
  /** Pages of one server process that are fetched side by side, and of one workspace. */
  atOnce: 4,
  lanes: 2,
} as const;

export const FILES = {
  maxBytes: 25 * 1024 * 1024,
  /** All files of one workspace together; equal files count once. */
  workspaceMaxBytes: 10 * 1024 * 1024 * 1024,
  /** How long the signed address of a file works. */
  addressMs: 5 * 60_000,
  /** A file that no memory uses is removed after this time. */
  unusedMs: 24 * 3_600_000,
  /** Opened files that a device stores for reading offline, and their share of the browser's storage quota. */
  deviceMaxBytes: 300 * 1024 * 1024,
  deviceQuotaShare: 0.2,
  readerMemoryMb: 512,
  pdfPagesMax: 500,
  imagePixelsMax: 50_000_000,
  /** Longest side of the small picture in lists, which is part of the memory itself. */
  thumbnailPixels: 96,
  thumbnailBytesMax: 6_000,
} as const;

/** What a language model writes about new memories. */
export const DESCRIPTIONS = {
  /** Characters of a text that are read, and fewer that need no description. */
  textMax: 12_000,
  textMin: 400,
  /** Characters of what is written. */
  title: 120,
  summary: 700,
  /** Tags of one memory; of the workspace, those that the model chooses from, and fewer that are too few to choose from. */
  tags: 3,
  tagsGiven: 100,
  tagsFew: 10,
  /** Older memories stay as they are. */
  daysBack: 2,
  /** After the last change, since a note may still be written. */
  settledMs: 90_000,
  perTurn: 50,
  turnMs: 50_000,
} as const;

export const ANSWERS = {
  /** Memories whose texts are read for one answer, and characters of each. */
  memories: 10,
  textMax: 200_000,
  /** Characters of a quoted passage, or of several that follow each other. */
  quoteMax: 1_000,
  /** Where others read the thread: memories that are looked at until enough may be quoted. */
  foundMax: 40,
  /** Earlier questions of the person that a follow-up may lean on. */
  earlierMax: 6,
  readerMemoryMb: 128,
  /** How long a device may look for the passages of one answer. */
  deviceLimitMs: 5_000,
  /** Answers that one server process writes concurrently. */
  atOnce: 6,
  /** The same for questions of visitors, who wait for the response. */
  visitorsAtOnce: 3,
  /** Limits of a language model: passages in the prompt, bytes in its response, tokens in its answer. */
  modelPassages: 12,
  modelBytesMax: 4 * 1024 * 1024,
  modelTokensMax: 2_000,
  /** Characters of an answer of a model; the rest is cut off. */
  modelTextMax: 12_000,
} as const;

export const THREADS = {
  /** Messages that a branch copies. */
  branchMax: 1_000,
} as const;

export const MCP = {
  /** Characters of one text in one result; the rest is read by position. */
  textCharacters: 20_000,
  listDefault: 10,
  listMax: 50,
  /** How long the tool `ask` waits for an answer. */
  answerWaitMs: 25_000,
  /** Array elements and object members in the arguments of one call of a tool. */
  argumentsMax: 1_000,
} as const;

/** First path segments that a workspace slug may not use; also anything starting with a dot. */
export const RESERVED_WORKSPACE_SLUGS: ReadonlySet<string> = new Set(
  (
    'login signup logout reset-password forgot-password imp auth oauth onboarding explore pricing ' +
    'request-access blog docs p api v1 mcp assets static admin settings about terms privacy help status ' +
    'support www app feed sitemap robots favicon manifest sw og oembed _share _open _offline healthz readyz metrics'
  ).split(' '),
);
export const RESERVED_SPACE_SLUGS: ReadonlySet<string> = new Set(['p', 'new']);

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
  /** Questions of visitors that a workspace accepts per day. */
  questionsPerDay: 200,
  /** Days after which a visitor's thread is deleted, unless a member has used it. */
  visitorThreadDays: 30,
  ageOffsetDays: 2,
  agePower: 1.2,
  /** Number of different reporters within a day that hides a resource from lists until staff decide. */
  hideAfterReporters: 3,
  cloneMaxMemories: 2_000,
} as const;
