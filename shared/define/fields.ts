// The field schemas that several entities share. Length limits come from the constants table.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { EMAIL_INVALID, EMAIL_REQUIRED, normalizeEmail } from '../email-address.ts';

/** A point in time as ISO 8601 in UTC with milliseconds, for example `2026-11-21T09:30:00.000Z`. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** True when the text can be stored by PostgreSQL: no NUL and no lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/** Free text up to `max` characters that the database can store. */
export function text(max: number) {
  return z
    .string()
    .max(max, `At most ${max} characters`)
    .refine(isStorableText, 'Contains characters that cannot be stored');
}

/** A one-line name: trimmed and not empty. */
export const nameText = text(LIMITS.name).trim().min(1, 'Required');

/** A tag: trimmed, lower case, without commas because lists of tags are comma-separated in addresses. */
export const tag = text(LIMITS.tag)
  .trim()
  .toLowerCase()
  .min(1, 'A tag may not be empty')
  .regex(/^[^,]+$/u, 'A tag may not contain a comma');

/** A set of tags in order of entry; duplicates fall away. */
export const tags = z
  .array(tag)
  .max(LIMITS.tagCount, `At most ${LIMITS.tagCount} tags`)
  .transform((list) => [...new Set(list)]);

/** An address that may be shown as a link: http or https only. */
export const webUrl = text(LIMITS.url).refine((value) => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
}, 'Must be an http or https address');

/** Lower-case letters, digits and single hyphens. */
export const slug = z
  .string()
  .min(LIMITS.slugMin, `At least ${LIMITS.slugMin} characters`)
  .max(LIMITS.slugMax, `At most ${LIMITS.slugMax} characters`)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Use lower-case letters, digits and single hyphens');

/** Newsletter and account address in its normal form; the two messages are fixed texts. */
export const email = z
  .string({ error: EMAIL_REQUIRED })
  .trim()
  .min(1, EMAIL_REQUIRED)
  .max(LIMITS.email, EMAIL_INVALID)
  .refine((text) => normalizeEmail(text) !== undefined, EMAIL_INVALID)
  .overwrite((text) => normalizeEmail(text) ?? text)
  .meta({ format: 'idn-email' });

/** A slug made of any title; the caller still has to make it unique. */
export function slugify(title: string): string {
  const slugText = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, LIMITS.slugMax)
    .replace(/-+$/, '');
  return slugText.length >= LIMITS.slugMin ? slugText : `item-${slugText || '1'}`;
}

/** The given fields without those that were left out, so that they do not overwrite stored ones. */
export function withoutUndefined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}
