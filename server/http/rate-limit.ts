/**
 * How often a caller may call, over all servers of one database. Ordinary classes are counted in memory and reported in
 * blocks; while the database is away each server counts alone. Guesses and mails are counted in the database one by one,
 * and refused while it is away.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { RateClass } from '#shared/define/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import { createSharedLimiter, type Limiter } from './shared-limiter.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

interface Points {
  session: number;
  /** For one API key or OAuth token. */
  key: number;
  /** For one network address without a credential. */
  anonymous: number;
  seconds: number;
}

const CLASSES: Record<RateClass, Points> = {
  read: { session: 1_000, key: 600, anonymous: 60, seconds: MINUTE },
  write: { session: 1_000, key: 600, anonymous: 60, seconds: MINUTE },
  // Pulls, pushes and streams of one profile: every write of a busy workspace may cause a pull per debounced poke.
  sync: { session: 2_000, key: 60, anonymous: 60, seconds: MINUTE },
  search: { session: 60, key: 60, anonymous: 30, seconds: MINUTE },
  capture: { session: 30, key: 30, anonymous: 5, seconds: MINUTE },
  // Pictures beside names: one page of members requests many at once.
  media: { session: 1_000, key: 600, anonymous: 600, seconds: MINUTE },
  // Actions of visitors on a thread: an address may do each 20 times a minute; members are not limited.
  rating: { session: 1_000, key: 600, anonymous: 20, seconds: MINUTE },
  export: { session: 1_000, key: 600, anonymous: 20, seconds: MINUTE },
  // Each reads the whole workspace.
  archive: { session: 10, key: 10, anonymous: 10, seconds: HOUR },
  login: { session: 60, key: 60, anonymous: 60, seconds: MINUTE },
  signup: { session: 100, key: 100, anonymous: 100, seconds: HOUR },
  report: { session: 5, key: 5, anonymous: 5, seconds: HOUR },
  // A hosted client serves all of its users from a few addresses.
  oauth: { session: 1_000, key: 600, anonymous: 600, seconds: MINUTE },
  // Every request to the MCP endpoint; the calls that a tool makes count in their own classes too.
  mcp: { session: 600, key: 600, anonymous: 600, seconds: MINUTE },
  oauth_register: { session: 5, key: 5, anonymous: 5, seconds: HOUR },
  question: { session: 5, key: 5, anonymous: 5, seconds: HOUR },
  ask_on: { session: 20, key: 20, anonymous: 20, seconds: HOUR },
};

/** Failed look-ups of keys and tokens from one address, per minute. */
const FAILED_LOOKUPS = 30;

/** Wrong passwords that are tolerated. */
const LOGIN = {
  /** From a device that has logged in to the account before, which no other limit delays. */
  device: { points: 5, seconds: 15 * MINUTE },
  /** From one network, for any accounts. */
  address: { points: 20, seconds: 15 * MINUTE },
  /** For one account, from everywhere. */
  account: { points: 5, seconds: DAY },
  /** The same once those are used up. */
  slow: { points: 1, seconds: MINUTE },
} as const;

/** Who a call counts for: the credential if there is one, else the address. */
interface Caller {
  credential?: { kind: 'session' | 'api_key' | 'oauth_token'; id: string } | undefined;
  address: string | null;
}

/** Mails that strangers can cause, and codes that they can try, per address of the mail. */
const MAILS = {
  /** From one network. */
  pair: { points: 5, seconds: HOUR },
  /** From everywhere; what fills an inbox more than this is abuse. */
  recipient: { points: 20, seconds: DAY },
} as const;
const CODES = { points: 50, seconds: DAY };

/** Wrong codes of the second factor for one account, from all addresses: the sender already has the password. */
const SECOND_FACTOR = {
  burst: { points: 5, seconds: 15 * MINUTE },
  day: { points: 50, seconds: DAY },
} as const;

interface Guess {
  /** The e-mail address of the account. */
  account: string;
  address: string | null;
  /** Id of a device that has logged in to this account before. */
  device: string | undefined;
}

export interface CountedGuess {
  /** If it is wrong, further ones are held up from now on. */
  isLast: boolean;
  /** Call it when the guess was right. */
  forgive(): Promise<void>;
}

export interface RateLimits {
  /** Counts a call and returns headers with the remainder. @throws rate_limited */
  take(rate: RateClass, caller: Caller): Promise<Record<string, string>>;
  /** Runs the look-up of a key or token, unless too many from this address have failed. @throws rate_limited */
  lookUp<T>(address: string | null, look: () => Promise<T>, hasFailed?: (found: T) => boolean): Promise<T>;
  /** Counts a guess of a password before it is checked. @throws rate_limited */
  guess(guess: Guess): Promise<CountedGuess>;
  /** Counts a mail to this recipient before it is known whether there is an account. @throws rate_limited */
  mail(recipient: string, address: string | null): Promise<void>;
  /** Counts a code tried for this address, over all accounts that claim it. @throws rate_limited */
  code(recipient: string): Promise<void>;
  /** Counts a code of the second factor before it is checked; call `forgive` when it was right. @throws rate_limited */
  secondFactor(userId: string): Promise<{ forgive(): Promise<void> }>;
}

interface Stored {
  points: number;
  seconds: number;
  /** Counts while the database is away. */
  alone?: RateLimiterAbstract;
}

/** Builds the limits; counts shared between servers are in the table `rate_limit`. */
export function createRateLimits(pool: Pool): RateLimits {
  const stored = (keyPrefix: string, { points, seconds, alone }: Stored) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix,
      points,
      duration: seconds,
      ...(alone && { insuranceLimiter: alone }),
    });
  const classes = new Map<string, Limiter>();
  for (const [name, { seconds, ...points }] of Object.entries(CLASSES)) {
    for (const [kind, each] of Object.entries(points)) {
      const alone = new RateLimiterMemory({ points: each, duration: seconds });
      const limiter = stored(`${name}-${kind}`, { points: each, seconds, alone });
      classes.set(`${name} ${kind}`, createSharedLimiter(limiter));
    }
  }
  const lookups = new RateLimiterMemory({ points: FAILED_LOOKUPS, duration: MINUTE });
  const guesses = {
    device: stored('login-device', LOGIN.device),
    address: stored('login-address', LOGIN.address),
    account: stored('login-account', LOGIN.account),
    slow: stored('login-slow', LOGIN.slow),
  };
  const mails = {
    pair: stored('mail-pair', MAILS.pair),
    recipient: stored('mail-recipient', MAILS.recipient),
  };
  const codes = stored('mail-code', CODES);
  const factors = {
    burst: stored('factor-burst', SECOND_FACTOR.burst),
    day: stored('factor-day', SECOND_FACTOR.day),
  };
  return {
    async take(rate, { credential, address }): Promise<Record<string, string>> {
      if (credential === undefined && address === null) return {};
      const limiter = classes.get(`${rate} ${pointsOf(credential)}`);
      if (!limiter) return {};
      const key = credential?.id ?? networkOf(address ?? '');
      return quotaHeaders(
        rate,
        limiter,
        await consume(limiter, key, (left) => quotaHeaders(rate, limiter, left)),
      );
    },
    async lookUp(address, look, hasFailed) {
      const key = networkOf(address ?? 'inside');
      const state = await lookups.get(key);
      if (state !== null && state.consumedPoints >= FAILED_LOOKUPS) throw tooMany(state);
      try {
        const found = await look();
        if (hasFailed?.(found)) await lookups.penalty(key, 1);
        return found;
      } catch (error) {
        if (error instanceof AppError && error.code === 'unauthorized') await lookups.penalty(key, 1);
        throw error;
      }
    },
    async guess({ account, address, device }) {
      const name = hashName(account);
      const network = networkOf(address ?? 'inside');
      const [limiter, key] =
        device === undefined ? [guesses.address, network] : [guesses.device, `${name} ${device}`];
      const own = await consume(limiter, key);
      // Guesses of a known device count for the account, but those of others do not hold it up.
      const { consumedPoints } = await guesses.account.penalty(name, 1);
      const beyond = consumedPoints - LOGIN.account.points;
      const isSlowed = beyond === 0 || (beyond > 0 && device === undefined);
      if (beyond === 0) await guesses.slow.penalty(name, 1);
      else if (isSlowed) await consume(guesses.slow, name);
      return {
        isLast: beyond === 0 || (device !== undefined && own.remainingPoints === 0),
        async forgive() {
          await (device === undefined ? limiter.reward(key, 1) : limiter.delete(key));
          // No more than this guess took: another account may claim the same address, and its password be known.
          await guesses.account.reward(name, 1);
          if (isSlowed) await guesses.slow.reward(name, 1);
        },
      };
    },
    async mail(recipient, address) {
      const name = hashName(recipient);
      await consume(mails.pair, `${name} ${networkOf(address ?? 'inside')}`);
      await consume(mails.recipient, name);
    },
    async code(recipient) {
      await consume(codes, hashName(recipient));
    },
    async secondFactor(userId) {
      await consume(factors.burst, userId);
      await consume(factors.day, userId);
      return {
        async forgive() {
          await factors.burst.delete(userId);
          await factors.day.reward(userId, 1);
        },
      };
    },
  };
}

/** Addresses are counted under a hash, so that the table of counters names no one. */
function hashName(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url');
}

/**
 * The quota of a class and its remainder, with times in seconds: RateLimit-Policy and RateLimit of
 * draft-ietf-httpapi-ratelimit-headers, and the three headers of its versions before 07, which most clients still read.
 */
function quotaHeaders(
  rate: RateClass,
  { points, duration }: Pick<Limiter, 'points' | 'duration'>,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): Record<string, string> {
  const seconds = Math.ceil(msBeforeNext / 1_000);
  return {
    'RateLimit-Policy': `"${rate}";q=${points};w=${duration}`,
    RateLimit: `"${rate}";r=${remainingPoints};t=${seconds}`,
    'RateLimit-Limit': String(points),
    'RateLimit-Remaining': String(remainingPoints),
    'RateLimit-Reset': String(seconds),
  };
}

type HeadersOf = (left: RateLimiterRes) => Record<string, string>;

async function consume(
  limiter: Pick<Limiter, 'consume'>,
  key: string,
  headersOf?: HeadersOf,
): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, 1);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw tooMany(refusal, headersOf?.(refusal));
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes, headers: Record<string, string> = {}): AppError {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return new AppError('rate_limited', `Too many requests, try again in ${inWords(retryAfter)}`, {
    retryAfter,
    headers,
  });
}

function pointsOf(credential: Caller['credential']): Exclude<keyof Points, 'seconds'> {
  if (credential === undefined) return 'anonymous';
  return credential.kind === 'session' ? 'session' : 'key';
}

function inWords(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** An IPv6 user owns a whole /64, so that is what counts as one address. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('%', 1)[0]?.split('::', 2) ?? [];
  const start = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - start.length - end.length);
  const groups = [...start, ...Array.from({ length: zeros }, () => '0'), ...end];
  return `${groups
    .slice(0, 4)
    .map((group) => group.padStart(4, '0'))
    .join(':')}::/64`;
}
