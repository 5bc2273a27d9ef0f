/** Each call that staff make as another person is an event in the audit log of the workspace it concerns. */
import type { Context } from '../context.ts';
import { emit } from '../events/emit.ts';
import type { AnyHandler } from '../http/dispatch.ts';
import type { Person } from '../http/call.ts';
import type { Id } from '#shared/ids.ts';

/** Records one call of staff; calls of everyone else are not recorded. */
export async function recordImpersonatedCall(
  { db, clock, origin }: Pick<Context, 'db' | 'clock' | 'origin'>,
  actor: Pick<Person, 'userId'> & { workspaceId?: Id<'workspace'> },
  call: string,
): Promise<void> {
  if ((origin?.impersonator ?? null) === null) return;
  await emit({ trx: db, now: clock.now(), origin }, 'impersonation.call', { actor, call });
}

/** The handlers with a record of calls by staff, written before the call, so that no call is unrecorded. */
export function withImpersonationRecord(
  handlers: Readonly<Record<string, AnyHandler>>,
): Readonly<Record<string, AnyHandler>> {
  const recorded = Object.entries(handlers).map(([name, handler]) => {
    const run: AnyHandler = async (call) => {
      const { actor } = call;
      if (actor) await recordImpersonatedCall(call.context, actor, name);
      return handler(call);
    };
    return [name, run] as const;
  });
  return Object.fromEntries(recorded);
}
