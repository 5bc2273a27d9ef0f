// How feeds are fetched and how much of them is saved.

export const FEED_LIMITS = {
  everyMinutes: 60,
  /** Entries that are saved when a person begins to follow a feed, at each check after, and in a day. */
  firstEntries: 10,
  perCheck: 50,
  perDay: 200,
  /** Entries of one answer that are looked at. */
  entriesMax: 500,
  /** Characters of an entry's markup. */
  markupMax: 500_000,
  rememberedDays: 90,
  pausedAfterDays: 14,
  dueAtOnce: 500,
} as const;
