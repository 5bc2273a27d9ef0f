// The kinds of values that variables of the environment have, each with its error message.
import { z } from 'zod';
import { normalizeEmail } from '#shared/email-address.ts';

const originMessage = 'must be an origin such as https://loci.example, without a path';

export const origin = z.string().refine((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}, originMessage);

export const urlWith = (schemes: readonly string[]) =>
  z
    .string()
    .refine(
      (value) => schemes.includes(URL.parse(value)?.protocol ?? ''),
      `must be a URL starting with ${schemes.join('// or ')}//`,
    );

const numberOf = (name: string, form: RegExp) => (min: number, max: number) => {
  const message = `must be ${name} from ${min} to ${max}`;
  return z
    .string()
    .regex(form, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
};
export const wholeNumber = numberOf('a whole number', /^\d+$/);
export const factor = numberOf('a number', /^\d+(\.\d+)?$/);

export const trustProxy = z
  .string()
  .regex(
    /^(false|loopback|\d{1,2}|[0-9a-f.:/]+(, ?[0-9a-f.:/]+)*)$/i,
    'must be false, loopback, the number of proxies, or their addresses separated by commas',
  )
  .transform((value): false | number | string => {
    if (value === 'false' || value === '0') return false;
    return /^\d+$/.test(value) ? Number(value) : value;
  });

export const vapidKey = (bytes: number) =>
  z
    .string()
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      `must be ${bytes} bytes in base64url`,
    );

export const emailList = z.string().transform((value, context) => {
  const typed = value.split(',');
  const addresses = typed.flatMap((address) => normalizeEmail(address)?.toLowerCase() ?? []);
  if (addresses.length < typed.length) context.addIssue('must be e-mail addresses separated by commas');
  return addresses;
});

export const allowList = z.string().transform((value, context) => {
  const typed = value.split(',').map((each) => each.trim().toLowerCase());
  const isFit = (each: string) => normalizeEmail(each.includes('@') ? each : `any@${each}`) !== undefined;
  if (!typed.every(isFit)) context.addIssue('must be e-mail addresses and domains separated by commas');
  return typed;
});

export const mailFrom = z.string().refine((value) => {
  const address = /^[^<>\p{Cc}]*<([^<>\s]+)>$/u.exec(value)?.[1] ?? value;
  return normalizeEmail(address) !== undefined;
}, 'must be an address such as no-reply@loci.example or Loci <no-reply@loci.example>');

export const mailDomain = z
  .string()
  .transform((value) => value.toLowerCase())
  .refine(
    (value) => normalizeEmail(`any@${value}`) !== undefined,
    'must be a domain such as in.loci.example',
  );
