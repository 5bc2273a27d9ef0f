/**
 * The address that a person sends mails to, one for each workspace. The part before the @ is the secret: a mail finds it
 * by its hash, and the person sees it again because it is stored as other secrets are.
 */
import { createHash } from 'node:crypto';
import type { MailAddress } from '#shared/capture/mail-address.ts';
import { authorize } from '#shared/define/access.ts';
import { AppError } from '#shared/errors.ts';
import { isId, newId, type Id } from '#shared/ids.ts';
import { can, type Position } from '#shared/permissions.ts';
import type { Context } from '../../context.ts';
import { across } from '../../db/across.ts';
import { emit } from '../../events/emit.ts';
import { refuseImpersonation, requireProvenPerson } from '../../http/person-checks.ts';
import type { Database } from '../../db/database.ts';
import type { Member, SessionPerson } from '../../http/call.ts';
import { writeAs } from '../../http/write.ts';
import { readSecret, sealStored, storeSecret } from '../../stored-secret.ts';
import { readerIn } from '../../sync/readable.ts';

type Owner = SessionPerson & Member;

export interface Recipient {
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  hash: string;
}

const placeOf = ({ workspaceId, userId }: { workspaceId: string; userId: string }) =>
  `mail address ${workspaceId} ${userId}`;

const hashOf = (name: string) => createHash('sha256').update(name).digest('base64url');

/** The address of the person. @throws forbidden */
export async function getMailAddress(context: Context, actor: Owner): Promise<MailAddress> {
  requireSaver(actor);
  const { config, db, secrets } = context;
  if (config.inboundMail === undefined) return { isAvailable: false, address: null, created: null };
  const row = await db
    .selectFrom('mail_address')
    .selectAll()
    .where('workspaceId', '=', actor.workspaceId)
    .where('userId', '=', actor.userId)
    .executeTakeFirst();
  const name = row && readSecret(secrets, row, placeOf(row));
  return {
    isAvailable: true,
    address: name === undefined ? null : `${name}@${config.inboundMail.domain}`,
    created: row?.created ?? null,
  };
}

/** Creates a new address that replaces an earlier one. @throws forbidden, conflict where mail is not received */
export async function renewMailAddress(context: Context, actor: Owner): Promise<MailAddress> {
  requireSaver(actor);
  if (context.config.inboundMail === undefined) throw new AppError('conflict', 'This server takes no mails');
  requireProvenPerson(actor);
  const { workspaceId, userId } = actor;
  const { value: address } = await writeAs(context, readerIn(actor), async (writing) => {
    const { tx } = writing;
    authorize(await writing.actor(), 'memory.create');
    const name = newId('mail_address');
    const created = tx.now.toISOString();
    const row = { hash: hashOf(name), created, ...storeSecret(context.secrets, name, placeOf(actor)) };
    await tx.trx
      .insertInto('mail_address')
      .values({ workspaceId, userId, ...row })
      .onConflict((conflict) => conflict.columns(['workspaceId', 'userId']).doUpdateSet(row))
      .execute();
    await emit(tx, 'mail_address.created', { actor });
    // Part of the outcome, so that a request that is repeated after a crash returns the address that it made.
    return { isAvailable: true, address: `${name}@${context.config.inboundMail?.domain ?? ''}`, created };
  });
  return address;
}

/** Switches the address off. @throws forbidden */
export async function removeMailAddress(context: Context, actor: Owner): Promise<void> {
  requireSaver(actor);
  const { workspaceId, userId } = actor;
  await writeAs(context, readerIn(actor), async ({ tx }) => {
    const { numDeletedRows } = await tx.trx
      .deleteFrom('mail_address')
      .where('workspaceId', '=', workspaceId)
      .where('userId', '=', userId)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await emit(tx, 'mail_address.removed', { actor });
  });
}

function requireSaver(actor: Owner): void {
  authorize(actor, 'memory.create');
  refuseImpersonation(actor, 'The address is not available while impersonating');
}

/** The person of an address; undefined for every address that accepts no mail now, whatever the reason. */
export async function findRecipient(
  { config, db }: Pick<Context, 'config' | 'db'>,
  address: string,
): Promise<Recipient | undefined> {
  const at = address.lastIndexOf('@');
  // Mail servers may change the case of an address.
  const [name, domain] = [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()];
  if (domain !== config.inboundMail?.domain || !isId('mail_address', name)) return undefined;
  const found = await db
    .selectFrom('mail_address')
    .innerJoin('workspace_member as member', (join) =>
      join
        .onRef('member.workspaceId', '=', 'mail_address.workspaceId')
        .onRef('member.userId', '=', 'mail_address.userId'),
    )
    .innerJoin('workspace', 'workspace.id', 'mail_address.workspaceId')
    .select(['mail_address.workspaceId', 'mail_address.userId', 'mail_address.hash', 'member.position'])
    .where('mail_address.hash', '=', hashOf(name))
    .where('workspace.deletedAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_deletion')
            .select('account_deletion.userId')
            .whereRef('account_deletion.userId', '=', 'mail_address.userId'),
        ),
      ),
    )
    .modifyEnd(across('credential'))
    .executeTakeFirst();
  if (found === undefined || !maySave(found)) return undefined;
  return { workspaceId: found.workspaceId, userId: found.userId, hash: found.hash };
}

const maySave = ({ userId, position }: { userId: Id<'user'>; position: Position }) =>
  can({ userId, position }, 'memory.create');

/** Whether the address is still that of the person, under the lock of the workspace. */
export async function isStillValid(
  trx: Database,
  { workspaceId, userId, hash }: Recipient,
): Promise<boolean> {
  const found = await trx
    .selectFrom('mail_address')
    .select('created')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return found !== undefined;
}

/** Encrypts values stored before this server had a key. */
export const sealMailAddresses = (context: Pick<Context, 'db' | 'secrets'>): Promise<void> =>
  sealStored(context, { table: 'mail_address', key: ['workspaceId', 'userId'], placeOf });
