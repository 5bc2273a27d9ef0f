// Numbers of accounts: passwords, sessions, codes, and staff who act as another person.

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

/** Days in which logging in restores a closed account. */
export const ACCOUNT_KEEP_DAYS = 14;

/** Staff who act as another person: how long a code and a session work, and characters of the reason. */
export const IMPERSONATION = {
  codeMs: 5 * 60_000,
  sessionMs: 30 * 60_000,
  reasonMin: 10,
  reasonMax: 500,
} as const;
