// What counts as an e-mail address in the forms of the public site, with the specification's two messages.
// Without zod, because these forms are part of the first load.

/** The pattern that zod's `email()` uses, so that form and server agree. */
const ADDRESS =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const LONGEST = 254;

export const EMAIL_REQUIRED = 'Required';
export const EMAIL_INVALID = 'Invalid email';

/** The message for an address that will not do, undefined for one that will. */
export function emailProblem(value: string | undefined): string | undefined {
  const address = value?.trim() ?? '';
  if (address === '') return EMAIL_REQUIRED;
  // Length first: the pattern must not meet a megabyte.
  return address.length <= LONGEST && ADDRESS.test(address) ? undefined : EMAIL_INVALID;
}
