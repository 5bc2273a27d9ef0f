// Numbers of the site.

/** Early access: days for which the link of an approval works, time to confirm the newsletter sign-up, and people per batch. */
export const EARLY_ACCESS = { linkDays: 14, confirmMs: 24 * 3_600_000, batchMax: 1_000 } as const;
