// Numbers of notifications.

/** The same event about the same resource within this time raises the count of one notification. */
export const NOTIFICATION_DEDUPE_MS = 10 * 60_000;

/** Digests of notifications: hour of the person's day, day of the week (0 = Sunday), and items of one mail. */
export const DIGEST = { hour: 8, weekday: 1, itemsMax: 50 } as const;

/** Days for which a link that turns e-mails off works. */
export const UNSUBSCRIBE_DAYS = 90;

/** Web push: browsers of one person, seconds for which a push service retains a message, characters of its text. */
export const PUSH = { perPerson: 20, ttlSeconds: 24 * 3_600, textMax: 300 } as const;
