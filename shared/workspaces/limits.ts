// Numbers of workspaces.

/**
 * Invitations: days until they expire, how many one person may send and one workspace may have open, and days for which ended
 * ones are stored.
 */
export const INVITE = { days: 7, perPersonADay: 50, pendingMax: 200, keepDays: 90 } as const;

/** Days in which its owner can restore a deleted workspace. */
export const WORKSPACE_KEEP_DAYS = 14;

export const SLUG_REDIRECT_DAYS = 90;

/** Days after which events of the audit log are removed. */
export const AUDIT = { keepDays: 365 } as const;
