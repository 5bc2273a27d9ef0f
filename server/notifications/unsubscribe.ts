/**
 * Links in mails that turn e-mails of a category off without a log-in (RFC 8058). A link is signed by this server, for one
 * person or newsletter sign-up and one category, and can do nothing else; using it again has no effect. It names the sign-up
 * by its random id, because addresses of links are logged on their way and must not carry the e-mail address.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '#shared/constants.ts';
import { UNSUBSCRIBE_DAYS } from '#shared/notifications/limits.ts';
import { AppError } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import { CHOSEN_CATEGORIES } from '#shared/notifications/settings.ts';
import type { Context } from '../context.ts';
import { storedSecret } from '../db/stored-secret.ts';
import { turnMailsOff } from './settings-store.ts';

/** Targets of a person's unsubscribe link: one category, or every category in the digest. */
export const UNSUBSCRIBABLE = [...CHOSEN_CATEGORIES, 'digest'] as const;
type Unsubscribable = (typeof UNSUBSCRIBABLE)[number];

/** What a link turns off, and for whom. The id of `updates` is that of a newsletter sign-up. */
export type Claim = { category: Unsubscribable; id: Id<'user'> } | { category: 'updates'; id: string };

type UnsubscribeContext = Pick<Context, 'db' | 'clock' | 'config'>;

/** The address that turns these mails off. */
export async function unsubscribeAddress(
  { db, clock, config }: UnsubscribeContext,
  { category, id }: Claim,
): Promise<string> {
  const lastDay = Math.floor(clock.now().getTime() / DAY_MS) + UNSUBSCRIBE_DAYS;
  const claim = `${category}.${id}.${lastDay}`;
  const token = `${claim}.${sign(await storedSecret(db, 'unsubscribe'), claim)}`;
  return `${config.appOrigin}/v1/public/unsubscribe/${token}`;
}

/** Turns off what the token names. @throws not_found for every token that this server has not signed, and for old ones */
export async function unsubscribe(context: UnsubscribeContext, token: string): Promise<Claim['category']> {
  const { category, id } = await readToken(context, token);
  if (category === 'updates') await endNews(context, id);
  else await turnMailsOff(context, id, category === 'digest' ? CHOSEN_CATEGORIES : [category]);
  return category;
}

/** Ends the news to a newsletter address, which may be given and confirmed anew at once. */
async function endNews({ db }: UnsubscribeContext, id: string): Promise<void> {
  await db
    .updateTable('newsletter_signup')
    .set({ wantsNews: false, newsConfirmedAt: null, newsHash: null, newsExpiresAt: null })
    .where('id', '=', id)
    .where('newsConfirmedAt', 'is not', null)
    .execute();
}

async function readToken({ db, clock }: UnsubscribeContext, token: string): Promise<Claim> {
  const [category, id, lastDay, signature, ...more] = token.split('.');
  const claim = `${category}.${id}.${lastDay}`;
  const known = UNSUBSCRIBABLE.find((name) => name === category);
  const isSigned =
    more.length === 0 &&
    signature !== undefined &&
    isSame(signature, sign(await storedSecret(db, 'unsubscribe'), claim));
  if (!isSigned || id === undefined) throw unknownLink();
  if (clock.now().getTime() >= (Number(lastDay) + 1) * DAY_MS) throw unknownLink();
  if (category === 'updates') return { category, id };
  if (known === undefined || !isId('user', id)) throw unknownLink();
  return { category: known, id };
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
    'This link is not valid or has expired. Use that of a newer mail, or your settings',
  );
}
