/** Who runs this server: people named in the configuration whose address is proven, never anyone by position. */
import type { Row } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { SessionPerson } from './call.ts';

/** Whether this person may use the calls of staff. */
export function isStaff(
  { staffEmails }: Config,
  user: Pick<Row<'user'>, 'email' | 'emailVerified'>,
): boolean {
  return user.emailVerified && staffEmails.includes(user.email.toLowerCase());
}

/** Whether this session belongs to staff; one in which staff act as another person does not. */
export function isStaffSession({ config }: Context, { user, credential }: SessionPerson): boolean {
  return credential.impersonator === null && isStaff(config, user);
}

/** @throws forbidden for everyone who is not named in the configuration */
export function requireStaff(context: Context, person: SessionPerson): void {
  if (!isStaffSession(context, person))
    throw new AppError('forbidden', 'Only for the people who run this server');
}
