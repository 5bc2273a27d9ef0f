/**
 * Links in mails that turn e-mails of a category off without a log-in (RFC 8058). A link is signed by this server, for one
 * person and one category, and can do nothing else; using it again has no effect.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { UNSUBSCRIBE_DAYS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import { CHOSEN_CATEGORIES } from '#shared/notifications/settings.ts';
import type { Context } from '../context.ts';
import { storedSecret } from '../db/stored-secret.ts';
import { turnMailsOff } from './settings-store.ts';

const DAY_MS = 86_400_000;

/** Targets of an unsubscribe link: one category, or every category in the digest. */
export const UNSUBSCRIBABLE = [...CHOSEN_CATEGORIES, 'digest'] as const;
export type Unsubscribable = (typeof UNSUBSCRIBABLE)[number];

type UnsubscribeContext = Pick<Context, 'db' | 'clock' | 'config'>;

/** The address that turns these mails off for this person. */
export async function unsubscribeAddress(
  { db, clock, config }: UnsubscribeContext,
  { userId, category }: { userId: Id<'user'>; category: Unsubscribable },
): Promise<string> {
  const lastDay = Math.floor(clock.now().getTime() / DAY_MS) + UNSUBSCRIBE_DAYS;
  const claim = `${category}.${userId}.${lastDay}`;
  const token = `${claim}.${sign(await storedSecret(db, 'unsubscribe'), claim)}`;
  return `${config.appOrigin}/v1/public/unsubscribe/${token}`;
}

/** Turns off what the token names. @throws not_found for every token that this server has not signed, and for old ones */
export async function unsubscribe(context: UnsubscribeContext, token: string): Promise<Unsubscribable> {
  const { userId, category } = await readToken(context, token);
  const off = category === 'digest' ? CHOSEN_CATEGORIES : [category];
  await turnMailsOff(context, userId, off);
  return category;
}

async function readToken(
  { db, clock }: UnsubscribeContext,
  token: string,
): Promise<{ userId: Id<'user'>; category: Unsubscribable }> {
  const [category, userId, lastDay, signature, ...more] = token.split('.');
  const claim = `${category}.${userId}.${lastDay}`;
  const known = UNSUBSCRIBABLE.find((name) => name === category);
  const isSigned =
    more.length === 0 &&
    signature !== undefined &&
    isSame(signature, sign(await storedSecret(db, 'unsubscribe'), claim));
  if (!isSigned || known === undefined || !isId('user', userId)) throw unknownLink();
  if (clock.now().getTime() >= (Number(lastDay) + 1) * DAY_MS) throw unknownLink();
  return { userId, category: known };
}

/** The purpose is part of the signed text, so that no other use of a key could make a link. */
function sign(secret: string, claim: string): string {
  return createHmac('sha256', secret).update(`unsubscribe ${claim}`).digest('base64url');
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function unknownLink(): AppError {
  return new AppError(
    'not_found',
    'This link is not valid or has expired. Turn e-mails off in your settings',
  );
}
