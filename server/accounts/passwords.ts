/**
 * Hashing of passwords with Argon2id: a bounded queue in front of it, one dummy hash for addresses that have none, and
 * the refusal of passwords that are guessed first.
 */
import { availableParallelism } from 'node:os';
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { normalizePassword } from '#shared/accounts/password.ts';
import type { Config } from '../config.ts';
import { fewestGuesses } from './guesses.ts';

/** The strength of new hashes; `test` is the weakest that the library takes, so that tests are not about hashing. */
const COSTS = {
  real: { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 },
  test: { memoryCost: 1024, timeCost: 1, parallelism: 1 },
} as const;

const QUEUE_MAX = 50;
const PER_CORE = 2;

type Environment = Config['env'];

const inTurn = createQueue(availableParallelism() * PER_CORE);
const dummies = new Map<Environment, Promise<string>>();

/** The PHC string to store. @throws unavailable when too many wait */
export function hashPassword(env: Environment, password: string): Promise<string> {
  return inTurn(() => hash(normalizePassword(password), costOf(env)));
}

/** Whether the password is the stored one; takes as long for an account without any. @throws unavailable */
export async function passwordMatches(
  env: Environment,
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const against = stored ?? (await dummyOf(env));
  const right = await inTurn(() => verify(against, normalizePassword(password)));
  return right && stored !== undefined;
}

/** The hash was made with other settings than new ones are, so a sign-in renews it. */
export function isOutdated(env: Environment, stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = costOf(env);
  return !stored.includes(`m=${memoryCost},t=${timeCost},p=${parallelism}`);
}

function costOf(env: Environment) {
  return env === 'test' ? COSTS.test : COSTS.real;
}

function dummyOf(env: Environment): Promise<string> {
  const known = dummies.get(env) ?? hash(randomBytes(16), costOf(env));
  dummies.set(env, known);
  return known;
}

/** Runs tasks in order, at most so many at once; a finished task hands its place to the next in line. */
function createQueue(width: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running < width) running += 1;
    else if (waiting.length < QUEUE_MAX) await new Promise<void>((start) => waiting.push(start));
    else throw new AppError('unavailable', 'Too many people are signing in', { retryAfter: 2 });
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** What a password must not be made of: the person's address, names and parts of them. */
export interface PersonalWords {
  email: string;
  forename?: string | null;
  surname?: string | null;
  username?: string | null;
}

/** An attacker who tries this many would have to be patient even without the limits of a log-in. */
const FEWEST_GUESSES = 1_000_000;
const SEPARATORS = /[\s._-]+/u;

/** @throws invalid for passwords that an attacker tries first; unavailable when that cannot be found out */
export async function refuseGuessable(password: string, person: PersonalWords): Promise<void> {
  const plain = normalizePassword(password).toLowerCase();
  const { email, forename, surname, username } = person;
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const whole = [PRODUCT_NAME, email, local, domain, forename, surname, username];
  const words = whole.flatMap((text) => {
    const word = (text ?? '').normalize('NFKC').toLowerCase();
    return [word, ...word.split(/[\s._+@-]+/u)];
  });
  const known = [...new Set(words)].filter((word) => word.length > 1);
  // Separators between words make a password hardly harder, and the estimate believes that they do.
  const joined = plain.split(SEPARATORS).join('');
  if ((await fewestGuesses([plain, joined], known)) >= FEWEST_GUESSES) return;
  throw new AppError(
    'invalid',
    'password: too easy to guess. Use several unrelated words, and neither your name nor your address',
  );
}
