/** The occasions of mails about an account, from the browser that made the call. */
import { deviceName } from '#shared/accounts/device-name.ts';
import type { Occasion } from '#shared/accounts/occasion.ts';
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
