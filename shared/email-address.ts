// Validation of e-mail addresses, internationalised ones included, and the normal form in which they are compared and
// stored. Without zod, because the forms of the public site are part of the first load.

/** Letters, marks and digits of any script, and what addresses commonly have beside; no spaces, quotes or controls. */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}_'+-]+$/u;
/** Characters accepted in a host name; URL turns full stops of other scripts into dots. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A top-level domain: letters, or letters of another script in their ASCII form. */
const TOP_LEVEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const ASCII = /^[\x20-\x7e]*$/;
const LONGEST = 254;

export const EMAIL_REQUIRED = 'Required';
export const EMAIL_INVALID = 'Invalid email';

/**
 * The address with its domain in ASCII (IDNA, as URL does it) and the rest in one Unicode form; undefined for an invalid one.
 * Two spellings of a domain are the same address. Letters beyond ASCII become lower case in the local part, because databases
 * do not agree on how to compare them; ASCII ones are unchanged.
 */
export function normalizeEmail(text: string): string | undefined {
  const typed = text.trim();
  // Length first: the code below must not process a megabyte.
  if (typed.length > LONGEST) return undefined;
  const at = typed.lastIndexOf('@');
  const local = localPart(typed.slice(0, at));
  const domain = asciiDomain(typed.slice(at + 1));
  if (at < 1 || local === undefined || domain === undefined) return undefined;
  const address = `${local}@${domain}`;
  return address.length > LONGEST ? undefined : address;
}

function localPart(typed: string): string | undefined {
  const local = ASCII.test(typed) ? typed : typed.normalize('NFC').toLowerCase();
  if (local.endsWith("'")) return undefined;
  return local.split('.').every((part) => LOCAL_PART.test(part)) ? local : undefined;
}

function asciiDomain(typed: string): string | undefined {
  if (!DOMAIN.test(typed)) return undefined;
  const labels = URL.parse(`http://${typed}`)?.hostname.split('.') ?? [];
  const isHost = labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isHost && TOP_LEVEL.test(labels.at(-1) ?? '') ? labels.join('.') : undefined;
}

/** The message for an address that will not do, undefined for one that will. */
export function emailProblem(value: string | undefined): string | undefined {
  const address = value?.trim() ?? '';
  if (address === '') return EMAIL_REQUIRED;
  return normalizeEmail(address) === undefined ? EMAIL_INVALID : undefined;
}
