/**
 * Hashing of passwords with Argon2id: a bounded queue in front of it, one dummy hash for addresses that have none, and the
 * refusal of easily guessed passwords.
 */
import { availableParallelism } from 'node:os';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hash, parseOptions } from '@node-rs/argon2';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { normalizePassword } from '#shared/accounts/password.ts';
import type { Config } from '../config.ts';
import { createFairQueue } from '../fair-queue.ts';
import { fewestGuesses } from './guesses.ts';

/** The strength of new hashes; `test` is the weakest that the library accepts, so that tests spend no time on hashing. */
const COSTS = {
  real: { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 },
  test: { memoryCost: 1024, timeCost: 1, parallelism: 1 },
} as const;

const QUEUE_MAX = 50;
const PER_CORE = 2;

type Environment = Config['env'];

export interface HashCaller {
  /** A network, or the id of a device. */
  line: string;
  /** The device has logged in to the account before. */
  isKnown: boolean;
}

/** For work that no request waits for, such as the demo. */
const THIS_SERVER: HashCaller = { line: 'server', isKnown: true };

/** Known devices have reserved places, so that many requests of unknown ones cannot block them. */
const takeTurn = createFairQueue({
  atOnce: availableParallelism() * PER_CORE,
  waitingMax: QUEUE_MAX,
  refusal: () => new AppError('unavailable', 'Too many people are signing in', { retryAfter: 2 }),
});
const inTurn = <T>({ line, isKnown }: HashCaller, work: () => Promise<T>): Promise<T> =>
  takeTurn(line, work, isKnown);
const dummies = new Map<Environment, Promise<string>>();

/** The hash to store, a PHC string, with the salt of another one where both must be found by hashing once. @throws unavailable */
export function hashPassword(
  env: Environment,
  password: string,
  { caller, saltOf }: { caller: HashCaller; saltOf?: string | undefined } = { caller: THIS_SERVER },
): Promise<string> {
  const salt = saltOf === undefined ? undefined : saltIn(saltOf);
  return inTurn(caller, () => hash(normalizePassword(password), { ...costOf(env), ...(salt && { salt }) }));
}

/**
 * The first of the stored hashes that the password matches. It is hashed once, with the settings of the first, in every case:
 * as long as for an account without any. @throws unavailable
 */
export async function findMatch(
  env: Environment,
  stored: readonly string[],
  { password, caller }: { password: string; caller: HashCaller },
): Promise<string | undefined> {
  const [first = await dummyOf(env)] = stored;
  const { memoryCost, timeCost, parallelism, algorithm, version } = parseOptions(first);
  const settings = { memoryCost, timeCost, parallelism, algorithm, version, salt: saltIn(first) };
  const given = Buffer.from(await inTurn(caller, () => hash(normalizePassword(password), settings)));
  return stored.find((each) => {
    const known = Buffer.from(each);
    return known.length === given.length && timingSafeEqual(known, given);
  });
}

/** The hash was made with other settings than new ones are, so a sign-in renews it. */
export function isOutdated(env: Environment, stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = costOf(env);
  return !stored.includes(`m=${memoryCost},t=${timeCost},p=${parallelism}`);
}

function costOf(env: Environment) {
  return env === 'test' ? COSTS.test : COSTS.real;
}

/** A PHC string ends in `$salt$hash`. */
function saltIn(stored: string): Buffer {
  return Buffer.from(stored.split('$').at(-2) ?? '', 'base64');
}

function dummyOf(env: Environment): Promise<string> {
  const known = dummies.get(env) ?? hash(randomBytes(16), costOf(env));
  dummies.set(env, known);
  return known;
}

/** The password of the demo, which everyone can read here. */
export const DEMO_PASSWORD = 'remember-everything';

/** Address and names that a password must not contain, whole or in parts. */
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
export async function refuseGuessable(
  { appOrigin }: Pick<Config, 'appOrigin'>,
  password: string,
  person: PersonalWords,
): Promise<void> {
  const plain = normalizePassword(password).toLowerCase();
  const { email, forename, surname, username } = person;
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const here = [PRODUCT_NAME, DEMO_PASSWORD, 'localhost', new URL(appOrigin).hostname];
  const words = [...here, email, local, domain, forename, surname, username].flatMap((text) => {
    const word = (text ?? '').normalize('NFKC').toLowerCase();
    return [word, lettersOf(word), ...word.split(/[\s._+@-]+/u)];
  });
  const known = [...new Set(words)].filter((word) => word.length > 1);
  // Separators between words make a password hardly harder, and the estimate believes that they do.
  const joined = plain.split(SEPARATORS).join('');
  // So do digits and signs around them.
  const unknown = known
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), lettersOf(plain));
  const isKnown = unknown === '' && lettersOf(plain) !== '';
  if (!isKnown && (await fewestGuesses([plain, joined], known)) >= FEWEST_GUESSES) return;
  throw new AppError(
    'invalid',
    'password: too easy to guess. Use several unrelated words, and neither your name nor your address, nor those of this site',
  );
}

function lettersOf(text: string): string {
  return text.replace(/\P{L}+/gu, '');
}
