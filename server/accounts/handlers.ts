/** The calls about one's own account, one small function per row. */
import { sql } from 'kysely';
import type { accountEndpoints } from '#shared/accounts/endpoints.ts';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import type { Handlers, Person, RequestFacts } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { planRemoval } from './removal.ts';
import { changePassword, changeProfile, logIn, signUp, type Origin } from './service.ts';

const originOf = (request: RequestFacts): Origin => ({
  address: request.address,
  userAgent: request.header('user-agent'),
});

/** The person's sessions that still work, as their owner sees them. */
function sessionsOf(context: Context, person: Person) {
  const now = context.clock.now().toISOString();
  return context.db
    .selectFrom('session')
    .select(['id', 'userId', 'impersonator', 'userAgent', 'created', 'updated', 'expiresAt'])
    .select(sql<boolean>`${sql.ref('id')} = ${person.sessionId}`.as('current'))
    .where('userId', '=', person.userId)
    .where('expiresAt', '>', now)
    .where('endsAt', '>', now);
}

const sessionNotFound = () => new AppError('not_found', 'Session not found');

export const accountHandlers = {
  'auth.signup': async ({ context, body, request, limits }) => ({
    result: await signUp(context, body, { origin: originOf(request), limits }),
  }),
  'auth.login': async ({ context, body, request, limits }) => ({
    result: await logIn(context, body, { origin: originOf(request), limits }),
  }),
  'auth.logout': async ({ context, actor }) => {
    await context.db.deleteFrom('session').where('id', '=', actor.sessionId).execute();
    return { result: null };
  },
  'auth.whoami': ({ actor }) => ({ result: actor.user }),
  'auth.update': async ({ context, actor, body, request, limits }) => {
    const { password, currentPassword, ...profile } = body;
    if (password !== undefined && currentPassword !== undefined) {
      const address = request.address;
      await changePassword(context, actor, { password, currentPassword, limits, address });
    }
    return { result: await changeProfile(context, actor.userId, profile) };
  },
  'auth.remove': async ({ context, actor }) => ({
    result: { purgeAfter: await planRemoval(context, actor) },
  }),
  'session.list': ({ context, actor, query }) =>
    listPage(sessionsOf(context, actor), { table: 'session', query }),
  'session.get': async ({ context, actor, params }) => {
    const found = await sessionsOf(context, actor).where('id', '=', params.id).executeTakeFirst();
    if (!found) throw sessionNotFound();
    return { result: found };
  },
  'session.remove': async ({ context, actor, params }) => {
    const { numDeletedRows } = await context.db
      .deleteFrom('session')
      .where('id', '=', params.id)
      .where('userId', '=', actor.userId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw sessionNotFound();
    return { result: null };
  },
} satisfies Handlers<typeof accountEndpoints>;
