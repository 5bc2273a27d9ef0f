/** The occasions of mails about an account, from the browser that made the call, and the mail that a change of the log-in causes. */
import { deviceName } from '#shared/accounts/device-name.ts';
import type { Occasion } from '#shared/accounts/occasion.ts';
import type { WayInChange } from '#shared/accounts/way-in-change.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { SessionPerson } from '../http/call.ts';

const DEVICE_MAX = 60;

export function occasionAt({ clock }: Pick<Context, 'clock'>, userAgent: string | undefined): Occasion {
  return { device: deviceName(userAgent ?? '').slice(0, DEVICE_MAX), at: clock.now().toISOString() };
}

/** The occasion of a call, by the browser that its session was opened with. */
export async function occasionOf(
  context: Pick<Context, 'clock'> & { db: Database },
  { credential }: SessionPerson,
): Promise<Occasion> {
  const session = await context.db
    .selectFrom('session')
    .select('userAgent')
    .where('id', '=', credential.id)
    .executeTakeFirst();
  return occasionAt(context, session?.userAgent);
}

/** Queues the mail about a new or lost way to log in, in the transaction of the change. */
export async function mailWayInChanged(
  context: Pick<Context, 'clock' | 'jobs'>,
  db: Database,
  person: SessionPerson,
  change: WayInChange,
): Promise<void> {
  const occasion = await occasionOf({ ...context, db }, person);
  const { userId } = person;
  await context.jobs.enqueue(db, 'mail.send', { mail: 'way_in_changed', userId, change, occasion });
}
