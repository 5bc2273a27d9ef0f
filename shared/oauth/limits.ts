// Numbers of the OAuth provider.

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
