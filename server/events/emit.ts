/**
 * Features say what happened, in the transaction in which it did; what follows is in the table of events, whose columns are
 * entries.ts and notices.ts. An event is named like its action in the audit log, its trigger of notifications, or both.
 */
import type { AuditAction } from '#shared/audit/audit-event.ts';
import type { Id } from '#shared/ids.ts';
import type { TriggerId } from '#shared/notifications/triggers.ts';
import { recordAudit, type AuditEntry, type AuditTx } from '../audit/service.ts';
import type { ServerTx } from '../db/server-tx.ts';
import type { JobPayload } from '../jobs/jobs.ts';
import { notify } from '../notifications/service.ts';
import { ENTRIES, TARGETS, type EntryRow } from './entries.ts';
import { MAILS, NOTICES, type Notices } from './notices.ts';

type Entries = typeof ENTRIES;
type Mails = typeof MAILS;
type EventName = AuditAction | TriggerId;
type Detail = NonNullable<AuditEntry['details']>[string];

/** Who acted, null for no person, and where. */
type Member = { userId: Id<'user'> | null; workspaceId: Id<'workspace'> };
type Person = { userId: Id<'user'> } & Pick<AuditEntry, 'impersonatorId'>;
type ActorOf<R> = R extends { log: 'account' }
  ? Person
  : R extends { log: 'either' }
    ? Person & Partial<Member>
    : Member;

type EntryFacts<R> = { actor: ActorOf<R> } & (R extends { target: infer T extends keyof typeof TARGETS }
  ? { target: Parameters<(typeof TARGETS)[T]>[0] }
  : unknown) &
  (R extends { details: readonly (infer D extends string)[] } ? Record<D, Detail> : unknown);

/** What the columns of an event take; of one of several events, what those of all take. */
type Facts<N extends EventName> = {
  [M in N]: (
    facts: (M extends AuditAction ? EntryFacts<Entries[M]> : unknown) &
      (M extends TriggerId ? Parameters<(typeof NOTICES)[M]>[0] : unknown) &
      (M extends keyof Mails ? Parameters<Mails[M]>[0] : unknown),
  ) => void;
}[N] extends (facts: infer F) => void
  ? F
  : never;

/** An entry needs only the database, notifications and mail the whole write. */
type TxOf<N> = [N] extends [Exclude<AuditAction, TriggerId | keyof Mails>] ? AuditTx : ServerTx;

/** The facts of any event. */
type AnyFacts = Record<string, unknown> & { actor: Person & Partial<Member> };
/** Methods, so that functions fit which take the facts of one event. */
interface Columns {
  notice(facts: object, tx: ServerTx): Notices | Promise<Notices>;
  mail(facts: object): JobPayload<'mail.send'>;
}
const entries: Partial<Record<EventName, EntryRow>> = ENTRIES;
const notices: Partial<Record<EventName, Columns['notice']>> = NOTICES;
const mails: Partial<Record<EventName, Columns['mail']>> = MAILS;

/** Records an event: its entry, its notifications and its mail are part of the given transaction. */
export async function emit<N extends EventName>(given: TxOf<N>, name: N, facts: Facts<N>): Promise<void> {
  // The parameters are what the columns of this name take, and a name is in a column if it is one of its kind.
  const tx = given as ServerTx;
  const entry = entries[name];
  if (entry) await record(tx, name as AuditAction, entry, facts as AnyFacts);
  const found = (await notices[name]?.(facts as object, tx)) ?? [];
  for (const notice of [found].flat()) await notify(tx, { ...notice, triggerId: name as TriggerId });
  const mail = mails[name]?.(facts as object);
  if (mail) await tx.enqueue('mail.send', mail);
}

async function record(tx: AuditTx, action: AuditAction, row: EntryRow, facts: AnyFacts): Promise<void> {
  const { userId: actorId, workspaceId, impersonatorId } = facts.actor;
  const about = await (row.target && TARGETS[row.target](facts.target as never, tx.trx));
  const chosen = (row.details ?? []).map((name) => [name, facts[name] as Detail]);
  const details = { ...about?.details, ...Object.fromEntries(chosen) };
  const entry = { action, actorId, impersonatorId, ...about, details };
  await recordAudit(tx, row.log === 'account' ? undefined : workspaceId, entry);
}
