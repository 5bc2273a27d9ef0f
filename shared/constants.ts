// Numbers and fixed words of the whole product. Those of a feature are in the limits.ts of its folder; each is defined once.

export const PRODUCT_NAME = 'Loci';
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const PAGE_SIZE = 20;
export const PAGE_SIZE_MAX = 100;
export const PAGE_NUMBER_MAX = 10_000;

/** Where the installed application starts, as its manifest says. */
export const INSTALLED_START = '/login?source=pwa';

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

/** Bodies of calls in bytes, after decompression; less for senders that are not signed in. */
export const BODY_LIMITS = { json: 1024 * 1024, anonymous: 4 * 1024 } as const;

/** Names of the two cookies that the page sets; the server reads neither. */
export const COOKIES = { session: 'auth_session', workspace: 'workspace_id' } as const;

/** First path segments that a workspace slug may not use; also anything starting with a dot. */
export const RESERVED_WORKSPACE_SLUGS: ReadonlySet<string> = new Set(
  (
    'login signup logout reset-password forgot-password imp auth oauth onboarding explore pricing ' +
    'request-access blog docs p api v1 mcp assets static admin settings about terms privacy help status ' +
    'support www app feed sitemap robots favicon manifest sw og oembed _share _open _offline healthz readyz metrics'
  ).split(' '),
);
