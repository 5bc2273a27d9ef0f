/**
 * How often somebody may call (SECURITY 3.13). Ordinary classes are counted in memory per process, guesses at secrets
 * in the database, so that they count across processes; while the database is away those are refused.
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

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Points per seconds for a signed-in caller and for an address without one. */
const CLASSES: Record<RateClass, { session: number; anonymous: number; seconds: number }> = {
  read: { session: 1_000, anonymous: 60, seconds: MINUTE },
  write: { session: 1_000, anonymous: 60, seconds: MINUTE },
  // Pulls, pushes and streams of one profile: every write of a busy workspace may bring a pull per debounced poke.
  sync: { session: 2_000, anonymous: 60, seconds: MINUTE },
  search: { session: 60, anonymous: 30, seconds: MINUTE },
  capture: { session: 30, anonymous: 5, seconds: MINUTE },
  // Pictures beside names: one page of members asks for many at once.
  media: { session: 1_000, anonymous: 600, seconds: MINUTE },
  login: { session: 60, anonymous: 60, seconds: MINUTE },
  signup: { session: 100, anonymous: 100, seconds: HOUR },
  report: { session: 5, anonymous: 5, seconds: HOUR },
  question: { session: 5, anonymous: 5, seconds: HOUR },
};

/** Failed sign-ins that are tolerated: the stricter numbers of PRODUCT 5.16 and SECURITY E2. */
const LOGIN = {
  /** One account from one address; another address, and so the owner, stays able to enter. */
  pair: { points: 5, seconds: 15 * MINUTE },
  address: { points: 20, seconds: 15 * MINUTE },
  account: { points: 1_000, seconds: DAY },
} as const;

/** The limits of one server process. */
export interface RateLimits {
  /** Counts a call; answers headers that tell what is left. @throws rate_limited */
  take(
    rate: RateClass,
    caller: { sessionId?: string; address: string | null },
  ): Promise<Record<string, string>>;
  /** Counts a guess before it is checked; call `forgive` with the answer when it was right. @throws rate_limited */
  guess(account: string, address: string | null): Promise<{ forgive(): Promise<void> }>;
}

/** Builds the limits; counters of guesses live in the table `rate_limit`. */
export function createRateLimits(pool: Pool): RateLimits {
  const classes = new Map<string, RateLimiterMemory>();
  for (const [name, { session, anonymous, seconds }] of Object.entries(CLASSES)) {
    classes.set(`${name} session`, new RateLimiterMemory({ points: session, duration: seconds }));
    classes.set(`${name} anonymous`, new RateLimiterMemory({ points: anonymous, duration: seconds }));
  }
  const stored = (keyPrefix: string, { points, seconds }: { points: number; seconds: number }) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix,
      points,
      duration: seconds,
    });
  const guesses = {
    pair: stored('login-pair', LOGIN.pair),
    address: stored('login-address', LOGIN.address),
    account: stored('login-account', LOGIN.account),
  };
  return {
    async take(rate, { sessionId, address }): Promise<Record<string, string>> {
      if (sessionId === undefined && address === null) return {};
      const kind = sessionId === undefined ? 'anonymous' : 'session';
      const limiter = classes.get(`${rate} ${kind}`);
      if (!limiter) return {};
      const left = await consume(limiter, sessionId ?? networkOf(address ?? ''));
      return {
        'RateLimit-Limit': String(limiter.points),
        'RateLimit-Remaining': String(left.remainingPoints),
        'RateLimit-Reset': String(Math.ceil(left.msBeforeNext / 1_000)),
      };
    },
    async guess(account, address) {
      const network = networkOf(address ?? 'inside');
      const name = createHash('sha256').update(account).digest('base64url');
      const keys: [RateLimiterAbstract, string][] = [
        [guesses.address, network],
        [guesses.account, name],
        [guesses.pair, `${name} ${network}`],
      ];
      for (const [limiter, key] of keys) await consume(limiter, key);
      return {
        async forgive() {
          await guesses.pair.delete(`${name} ${network}`);
          await guesses.address.reward(network, 1);
          await guesses.account.reward(name, 1);
        },
      };
    },
  };
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, 1);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
    throw new AppError('rate_limited', `Too many requests, try again in ${inWords(retryAfter)}`, {
      retryAfter,
    });
  }
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
