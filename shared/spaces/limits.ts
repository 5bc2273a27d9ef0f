// Numbers of spaces, sharing and public pages.

/** How many spaces a person can pin and order in the sidebar, and how many filters they can save. */
export const SIDEBAR = { pinned: 200, ordered: 1_000, filters: 50 } as const;

/** Sharing with named people: grants of one space or thread, and addresses that one person can have mailed a day. */
export const GUESTS = { perPlace: 200, mailsADay: 50 } as const;

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
