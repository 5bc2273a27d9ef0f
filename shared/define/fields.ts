// The field schemas that several entities share. Length limits come from the constants table.
import { z } from 'zod';
import { LIMITS, MINUTE_MS } from '../constants.ts';
import { EMAIL_INVALID, EMAIL_REQUIRED, normalizeEmail } from '../email-address.ts';

/** Date and time of RFC 3339, with seconds optional as in ISO 8601. */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
/** A leap second comes before the first second of a month in UTC. */
const AFTER_LEAP = /-01T00:00:00\.000Z$/;

/** The same moment in UTC with milliseconds; undefined for an invalid one. A leap second is the second after it. */
export function inUtc(text: string): string | undefined {
  const [, day, minute, second = '00', fraction = '', sign, hours = '0', minutes = '0'] =
    MOMENT.exec(text) ?? [];
  if (day === undefined || minute === undefined) return undefined;
  const isLeap = second === '60';
  const millis = isLeap ? '000' : fraction.slice(0, 3).padEnd(3, '0');
  const local = `${day}T${minute}:${isLeap ? '59' : second}.${millis}Z`;
  const time = Date.parse(local);
  // Some engines parse the 30th of February as a day in March.
  if (Number.isNaN(time) || new Date(time).toISOString() !== local) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  const utc = new Date(time - offset + (isLeap ? 1_000 : 0)).toISOString();
  // Beyond the years of four digits the form is another one.
  return utc.length === local.length && (!isLeap || AFTER_LEAP.test(utc)) ? utc : undefined;
}

/** A point in time: accepted in any form of RFC 3339, stored in UTC with milliseconds as `2026-11-21T09:30:00.000Z`. */
export const timestamp = z
  .string()
  .overwrite((text) => inUtc(text) ?? text)
  .check(z.iso.datetime({ precision: 3 }));

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

/** Controls, and marks of direction, with which a name shows another ending than it has. */
const NOT_IN_FILE_NAMES = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A file's name as it is stored and sent. */
export function plainFileName(name: string): string {
  return name.toWellFormed().replace(NOT_IN_FILE_NAMES, '').slice(0, LIMITS.filename).toWellFormed();
}

export const fileName = text(LIMITS.filename).overwrite(plainFileName);

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

/** The fields without undefined ones, so that they do not overwrite stored ones. */
export function withoutUndefined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;
}
