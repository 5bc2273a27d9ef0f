// Numbers of webhooks.

/** Webhooks of a workspace: how changes are gathered and sent, when a failed delivery is tried again, and for how long. */
export const WEBHOOKS = {
  perWorkspace: 10,
  gatherMs: 200,
  /** Seconds after each failed attempt, as the Standard Webhooks specification recommends: about three days in all. */
  retrySeconds: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  disabledAfterDays: 5,
  logDays: 30,
} as const;
