/**
 * The mail that notifies an address of a share. Whether the address has an account is looked up here and not in the request, so
 * that the response reveals nothing about it.
 */
import { displayName } from '#shared/accounts/display-name.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { isId } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import type { GrantLevel } from '#shared/spaces/grant-level.ts';
import { VISIBILITY, type Visibility } from '#shared/spaces/visibility.ts';
import { findAccountOf } from '../accounts/service.ts';
import type { Context } from '../context.ts';
import type { JobPayload } from '../jobs/jobs.ts';
import { layoutMail, unlinked } from '../providers/mail-layout.ts';

type SharedMail = Extract<JobPayload<'mail.send'>, { mail: 'shared' }>;

const MAY: Readonly<Record<GrantLevel, { space: string; thread: string }>> = {
  read: { space: 'You can read it.', thread: 'You can read it.' },
  write: { space: 'You can read it and add to it.', thread: 'You can read it and write messages.' },
};

/** Sends the mail, unless the grant was revoked meanwhile. */
export async function sendSharedMail(context: Context, given: SharedMail): Promise<void> {
  const found = await findForMail(context, given);
  if (found === undefined || !VISIBILITY[found.visibility].guests) return;
  const account = await findAccountOf(context.db, given.email);
  const kind = isId('space', given.resourceId) ? 'space' : 'thread';
  const sender = unlinked(displayName(found));
  const title = `${sender} shared a ${kind} with you`;
  const place = isId('space', given.resourceId)
    ? pathTo('space', { workspace_slug: found.workspaceSlug, space_slug: found.spaceSlug ?? '' })
    : pathTo('thread', { workspace_slug: found.workspaceSlug, thread_id: given.resourceId });
  const mail = layoutMail(title, [
    `${sender} (${found.senderEmail}) shared the ${kind} “${unlinked(found.name)}” of the workspace ${unlinked(found.workspaceName)} with you on ${PRODUCT_NAME}. ${MAY[found.level][kind]}`,
    account === undefined
      ? { link: `${context.config.appOrigin}/signup`, label: 'Create an account' }
      : { link: `${context.config.appOrigin}${place}`, label: `Open ${kind}` },
    account === undefined
      ? `Sign up with ${given.email} and confirm the address to open the ${kind}.`
      : `Log in with ${given.email} to see it.`,
    'If you do not know the sender, ignore this mail. Nothing of yours is shared.',
  ]);
  await context.mailer.send({ kind: 'shared', to: given.email, ...mail });
}

interface Found {
  level: GrantLevel;
  name: string;
  visibility: Visibility;
  spaceSlug: string | null;
  workspaceName: string;
  workspaceSlug: string;
  senderEmail: string;
  forename: string | null;
  surname: string | null;
  username: string | null;
}

function findForMail({ db }: Pick<Context, 'db'>, given: SharedMail): Promise<Found | undefined> {
  const { workspaceId, resourceId, email, by } = given;
  const grant = db
    .selectFrom('grant')
    .innerJoin('workspace', 'workspace.id', 'grant.workspaceId')
    .innerJoin('user', (join) => join.on('user.id', '=', by))
    .select(['grant.level', 'workspace.name as workspaceName', 'workspace.slug as workspaceSlug'])
    .select(['user.email as senderEmail', 'user.forename', 'user.surname', 'user.username'])
    .where('grant.workspaceId', '=', workspaceId)
    .where('grant.resourceId', '=', resourceId)
    .where('grant.holder', '=', email)
    .where('workspace.deletedAt', 'is', null);
  if (isId('space', resourceId)) {
    return grant
      .innerJoin('space', (join) =>
        join.onRef('space.workspaceId', '=', 'grant.workspaceId').onRef('space.id', '=', 'grant.resourceId'),
      )
      .select(['space.name', 'space.visibility', 'space.slug as spaceSlug'])
      .where('space.deletedAt', 'is', null)
      .executeTakeFirst();
  }
  return grant
    .innerJoin('thread', (join) =>
      join.onRef('thread.workspaceId', '=', 'grant.workspaceId').onRef('thread.id', '=', 'grant.resourceId'),
    )
    .select(['thread.name', 'thread.visibility'])
    .select((row) => row.val<string | null>(null).as('spaceSlug'))
    .where('thread.deletedAt', 'is', null)
    .executeTakeFirst();
}
