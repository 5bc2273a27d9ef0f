/**
 * Grants as REST manages them, and what only the server can add to them: the account behind an address, limits against
 * mail to strangers, and word to the people who are named.
 */
import { sql } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import { GUESTS } from '#shared/spaces/limits.ts';
import { AppError } from '#shared/errors.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { MutationContext } from '#shared/define/mutator.ts';
import type { grantMutators } from '#shared/spaces/grant-mutators.ts';
import {
  holderOf,
  shownGrant,
  type Grant,
  type GrantHolder,
  type GrantInput,
  type GrantResource,
  type GrantShown,
} from '#shared/spaces/grant.ts';
import { VISIBILITY, type Visibility } from '#shared/spaces/visibility.ts';
import { can, type Actor } from '#shared/permissions.ts';
import { subjectOf } from '#shared/subject.ts';
import type { QuotesChoice } from '#shared/threads/quotes-choice.ts';
import type { Thread } from '#shared/threads/thread.ts';
import type { z } from 'zod';
import { findAccountOf, requireProvenAddress } from '../accounts/service.ts';
import type { Database } from '../db/database.ts';
import type { Effects } from '../db/effect.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { emit } from '../events/emit.ts';
import type { Writing } from '../http/write.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { refuseWithheld } from './withheld.ts';

type PutArgs = z.output<(typeof grantMutators)['grant.put']['args']>;

/** The grants of a space or thread, oldest first. */
async function grantsOf(db: Database, workspaceId: string, resourceId: string): Promise<Grant[]> {
  const { rows } = await sql<Grant>`
    select * from "grant" where "workspaceId" = ${workspaceId} and "resourceId" = ${resourceId}
    order by "created", "holder"`.execute(db);
  return rows;
}

/** A space or a thread in REST responses. */
export interface Shareable {
  id: GrantResource;
  workspaceId: Id<'workspace'>;
  ownerId: string;
  visibility: Visibility;
}

export interface NamedPlace extends Shareable {
  name: string;
}

/** The grants of a place for those who may change them; undefined for all others, who must not see who else has access. */
export async function shownGrants(
  db: Database,
  actor: Actor,
  place: Shareable,
): Promise<{ grants?: GrantShown[] }> {
  const action = isId('space', place.id) ? 'space.update' : 'thread.update';
  if (!can(actor, action, subjectOf(place, place))) return {};
  const grants = await grantsOf(db, place.workspaceId, place.id);
  return { grants: grants.map(shownGrant) };
}

/** Makes the grants of a place equal to the list. @throws invalid for a list that names a person twice */
export async function replaceGrants(
  { tx, at, apply }: Writing,
  resourceId: GrantResource,
  wanted: readonly GrantInput[],
  quotes?: QuotesChoice,
): Promise<void> {
  const levels = new Map(wanted.map((given) => [holderOf(given), given.level]));
  if (levels.size < wanted.length) throw new AppError('invalid', 'grants: the same person is named twice');
  const present = await grantsOf(tx.trx, tx.realmId, resourceId);
  for (const { holder } of present) {
    if (!levels.has(holder)) await apply('grant.remove', { resourceId, holder, at });
  }
  for (const [holder, level] of levels) {
    if (present.some((row) => row.holder === holder && row.level === level)) continue;
    await apply('grant.put', { resourceId, holder, level, quotes, at });
  }
}

/** @throws conflict beyond the number of grants that a place can have */
async function refuseTooMany(tx: ServerTx, { resourceId, holder }: PutArgs): Promise<void> {
  const grants = await grantsOf(tx.trx, tx.realmId, resourceId);
  if (grants.length >= GUESTS.perPlace && !grants.some((row) => row.holder === holder)) {
    throw new AppError('conflict', `At most ${GUESTS.perPlace} people and positions can be named`);
  }
}

/** An id may only name a person who is known here, so that a list of ids does not reveal which accounts exist. @throws invalid */
async function requireKnown(tx: ServerTx, userId: Id<'user'>): Promise<void> {
  const { rows } = await sql`
    select 1 from "workspace_member" where "workspaceId" = ${tx.realmId} and "userId" = ${userId}
    union all select 1 from "grant" where "workspaceId" = ${tx.realmId} and "userId" = ${userId} limit 1`.execute(
    tx.trx,
  );
  if (rows.length === 0)
    throw new AppError('invalid', 'userId: this is no member of the workspace; name an e-mail address');
}

/** Mail to strangers is what spammers want. @throws rate_limited, forbidden */
async function refuseMail(tx: ServerTx, userId: Id<'user'>): Promise<void> {
  await requireProvenAddress(tx.trx, userId);
  const { rows } = await sql<{ sent: number }>`
    select count(*) as "sent" from "grant_mail"
    where "workspaceId" = ${tx.realmId} and "sentBy" = ${userId}
      and "sent" > ${new Date(tx.now.getTime() - DAY_MS).toISOString()}`.execute(tx.trx);
  if ((rows[0]?.sent ?? 0) >= GUESTS.mailsADay) {
    throw new AppError('rate_limited', `You can share with ${GUESTS.mailsADay} addresses a day`, {
      retryAfter: DAY_MS / 24 / 1_000,
    });
  }
}

/** Assigns the grants of an address to the account that has proven it. */
async function bindAccount(tx: ServerTx, { resourceId, holder }: Pick<Grant, 'resourceId' | 'holder'>) {
  if (!holder.includes('@')) return;
  const account = await findAccountOf(tx.trx, holder);
  if (account?.emailVerified) await tx.update('grant', `${resourceId}/${holder}`, { userId: account.id });
}

/** Sends word of a place to those whom its grants name since lately, at most once a day to an address. */
async function announceGrants(
  jobs: Pick<JobQueue, 'enqueue'>,
  tx: ServerTx,
  { place, by, grants }: { place: NamedPlace; by: Id<'user'>; grants: readonly Grant[] },
): Promise<void> {
  if (!VISIBILITY[place.visibility].guests) return;
  for (const grant of grants) {
    if (grant.holder.includes('@')) await mailGrant(jobs, tx, { by, grant });
    // A notification is mailed too, and one mail is enough.
    else if (grant.userId !== null && grant.userId !== by)
      await emit(tx, isId('space', place.id) ? 'space.shared' : 'thread.shared', {
        place,
        userId: grant.userId,
      });
  }
}

async function mailGrant(
  jobs: Pick<JobQueue, 'enqueue'>,
  tx: ServerTx,
  { by, grant: { workspaceId, resourceId, holder } }: { by: Id<'user'>; grant: Grant },
): Promise<void> {
  const now = tx.now.toISOString();
  const { rows } = await sql`
    insert into "grant_mail" as mail ("workspaceId", "resourceId", "email", "sentBy", "sent")
    values (${workspaceId}, ${resourceId}, ${holder}, ${by}, ${now})
    on conflict ("workspaceId", "resourceId", "email") do update set "sentBy" = ${by}, "sent" = ${now}
      where mail."sent" < ${new Date(tx.now.getTime() - DAY_MS).toISOString()}
    returning 1`.execute(tx.trx);
  if (rows.length === 0) return;
  await jobs.enqueue(tx.trx, 'mail.send', { mail: 'shared', workspaceId, resourceId, email: holder, by });
}

/** A place as it was before a change of its visibility. */
export interface Opened {
  place: NamedPlace;
  to: Visibility;
  by: Id<'user'>;
}

/** Notifies people who were named before and get access by a new visibility; to be called before the change. */
export async function announceOpened(
  jobs: Pick<JobQueue, 'enqueue'>,
  tx: ServerTx,
  { place, to, by }: Opened,
): Promise<void> {
  if (VISIBILITY[place.visibility].guests) return;
  const grants = await grantsOf(tx.trx, tx.realmId, place.id);
  await announceGrants(jobs, tx, { place: { ...place, visibility: to }, by, grants });
}

function placeOf(tx: ServerTx, id: GrantResource): Promise<NamedPlace | undefined> {
  return isId('space', id) ? tx.get('space', id) : tx.get('thread', id);
}

/** Called with each thread for which another person is about to be named. @throws quotes_private */
type SettleQuotes = (
  tx: ServerTx,
  thread: Thread,
  change: { holder: GrantHolder; quotes: QuotesChoice },
) => Promise<void>;

/** The effects of a server that sends mail by these jobs. */
export function createGrantEffects(jobs: Pick<JobQueue, 'enqueue'>, settleQuotes: SettleQuotes) {
  return {
    'grant.put': {
      /** @throws conflict, forbidden, invalid, quotes_private, rate_limited */
      async before({ tx, args, context }: { tx: ServerTx; args: PutArgs; context: MutationContext }) {
        const place = await placeOf(tx, args.resourceId);
        // The mutator rejects places that do not exist or that this person may not share.
        if (place === undefined || context.actor.position === 'guest') return;
        await refuseTooMany(tx, args);
        if (isId('user', args.holder)) await requireKnown(tx, args.holder);
        if (args.holder.includes('@')) await refuseMail(tx, context.actor.userId);
        if (isId('space', place.id) && VISIBILITY[place.visibility].guests)
          await refuseWithheld(tx, context.actor, place.id);
        const thread = isId('thread', place.id) ? await tx.get('thread', place.id) : undefined;
        if (thread === undefined || !can(context.actor, 'thread.update', subjectOf(thread, thread))) return;
        const isNamed = (await tx.get('grant', `${place.id}/${args.holder}`)) !== undefined;
        if (!isNamed) await settleQuotes(tx, thread, { holder: args.holder, quotes: args.quotes });
      },
      async after({ tx, args, context }: { tx: ServerTx; args: PutArgs; context: MutationContext }) {
        await bindAccount(tx, args);
        const place = await placeOf(tx, args.resourceId);
        const grants = await grantsOf(tx.trx, tx.realmId, args.resourceId);
        const created = context.at(args.at);
        const isNew = (row: Grant) => row.holder === args.holder && row.created === created;
        if (place !== undefined)
          await announceGrants(jobs, tx, { place, by: context.actor.userId, grants: grants.filter(isNew) });
      },
    },
  } satisfies Effects;
}
