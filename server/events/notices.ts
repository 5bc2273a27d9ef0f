// The other columns of the table of events: who is notified of each in which words, and which mail is sent. A column returns
// exactly the fields of a notification, whatever more the facts hold.
import { displayName } from '#shared/accounts/display-name.ts';
import type { Occasion } from '#shared/accounts/occasion.ts';
import type { AuditAction } from '#shared/audit/audit-event.ts';
import { WORKSPACE_EXPORT } from '#shared/capture/export-job.ts';
import { LIMITS } from '#shared/constants.ts';
import { countOf, formatCount } from '#shared/english.ts';
import type { Row } from '#shared/entities.ts';
import { isId, type Id } from '#shared/ids.ts';
import type { Memory } from '#shared/memories/memory.ts';
import type { TriggerId } from '#shared/notifications/triggers.ts';
import { pathTo } from '#shared/pages.ts';
import type { Position } from '#shared/permissions.ts';
import type { ReportDecision } from '#shared/site/report-endpoints.ts';
import type { GrantResource } from '#shared/spaces/grant.ts';
import { REPORT_REASON_LABELS, type ReportReason } from '#shared/spaces/report-reasons.ts';
import { INVITED_AS, type Invite } from '#shared/workspaces/invite.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { across } from '../db/across.ts';
import type { ServerTx } from '../db/server-tx.ts';
import type { JobPayload } from '../jobs/jobs.ts';
import type { Notice } from '../notifications/service.ts';

type Notified = Omit<Notice, 'triggerId'>;
type Words = Pick<Notice, 'title' | 'body'> & { subject?: string };
export type Notices = Notified | readonly Notified[];

type UserId = Id<'user'>;
type Named = Pick<Workspace, 'name' | 'slug'>;
type Person = { userId: UserId };
type Place = { workspaceId: Id<'workspace'> };
type LogIn = Person & { address: string | null };
type NewPassword = Person & { occasion: Occasion };
type Acted = { actor: Place & { userId: UserId | null } };
type Connection = { actor: Person & Place; target: { id: string; name: string } };
type Owned = Place & { id: string; ownerId: UserId };
type Created = Place & { id: string; createdBy: UserId };
type Job = Created & { filename: string };
type Captured = Pick<Memory, 'id' | 'ownerId' | 'workspaceId' | 'title' | 'url' | 'type'>;
type Usage = Place & { used: number; perMonth: number; renewal: string };
type Invitation = { invite: Invite & { workspaceName: string }; sender: string; until: string };
type Acceptance = { invite: Invite; user: Row<'user'>; workspace: Named };
type Inheritance = Place & { from: UserId; to: UserId; counts: { space: number; thread: number } };
type Share = Person & { place: Place & { id: GrantResource; name: string } };
type Subject = { kind: 'space' | 'thread'; name: string };
type Reported = Subject & { staffIds: UserId[]; resourceId: string; reason: ReportReason };
type Decided = { target: Owned & Subject; decision: ReportDecision } & Partial<
  Record<'note' | 'appeal', string | undefined>
>;
export type ImportEnd =
  | { state: 'completed' | 'undone' }
  | { state: 'failed'; reason: string }
  | { state: 'asking'; newSpaces: number };

const POSITION_WORDS: Readonly<Record<Position, string>> = {
  owner: 'an owner',
  admin: 'an admin',
  member: 'a member',
  'read-only': 'a read-only member',
};

const DECISION_WORDS: Readonly<Record<ReportDecision, string>> = {
  dismiss: 'A report was looked at and dismissed. It is shown as before.',
  hide: 'It was reported and is hidden from the web.',
  make_private: 'It was reported and has been made private.',
  suspend_workspace: 'It was reported. Nothing of this workspace is shown on the web any more.',
};

const cameFrom = (what: string, address: string | null) =>
  address === null ? '' : ` ${what} came from the address ${address}.`;

const toOwner = (of: Owned) => ({ userId: of.ownerId, workspaceId: of.workspaceId, subject: of.id });

const toCreator = (of: Created) => ({ userId: of.createdBy, workspaceId: of.workspaceId, subject: of.id });

function workspaceOf({ trx }: ServerTx, id: Id<'workspace'>): Promise<Named> {
  return trx.selectFrom('workspace').select(['name', 'slug']).where('id', '=', id).executeTakeFirstOrThrow();
}

async function ownersOf({ trx }: ServerTx, workspaceId: Id<'workspace'>): Promise<UserId[]> {
  const owners = await trx
    .selectFrom('workspace_member')
    .select('userId')
    .where('workspaceId', '=', workspaceId)
    .where('position', '=', 'owner')
    .orderBy('userId')
    .execute();
  return owners.map(({ userId }) => userId);
}

/** About the account itself. Its page is inside a workspace, so a person without one gets no link. */
async function toAccount({ trx }: ServerTx, userId: UserId, words: Words): Promise<Notified> {
  const found = await trx
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspaceId')
    .select('workspace.slug')
    .where('workspace_member.userId', '=', userId)
    .where('workspace.deletedAt', 'is', null)
    .orderBy('workspace_member.created')
    .limit(1)
    .modifyEnd(across('account'))
    .executeTakeFirst();
  const link = found && pathTo('settings_account', { workspace_slug: found.slug });
  return { subject: userId, ...words, userId, workspaceId: null, priority: 'high', link };
}

async function ofLimit({ workspaceId, used, perMonth, renewal }: Usage, tx: ServerTx): Promise<Notified[]> {
  const { name, slug } = await workspaceOf(tx, workspaceId);
  const owners = await ownersOf(tx, workspaceId);
  const isReached = used === perMonth;
  const numbers = `${used.toLocaleString('en')} of ${perMonth.toLocaleString('en')} answers by a language model are used; there are new ones from ${renewal} (UTC).`;
  return owners.map((userId) => ({
    userId,
    workspaceId,
    subject: workspaceId,
    title: isReached ? `${name} has reached its limit of answers` : `${name} nears its limit of answers`,
    body: isReached ? `${numbers} Until then answers are made of passages.` : numbers,
    priority: isReached ? 'high' : 'medium',
    link: pathTo('settings_usage', { workspace_slug: slug }),
  }));
}

const ofKey =
  (title: string) =>
  ({ target }: { target: Row<'api_key'> }): Notified => ({
    ...toOwner(target),
    title,
    body: `${target.name} (…${target.last4})`,
    priority: 'high',
  });

async function ofShare({ userId, place: { id, workspaceId, name } }: Share, tx: ServerTx): Promise<Notified> {
  const { slug } = await workspaceOf(tx, workspaceId);
  const [what, link] = isId('space', id)
    ? ['A space', pathTo('spaces', { workspace_slug: slug })]
    : ['A thread', pathTo('thread', { workspace_slug: slug, thread_id: id })];
  return {
    userId,
    workspaceId,
    subject: id,
    title: `${what} was shared with you`,
    body: `You can open “${name}” now.`,
    priority: 'medium',
    link,
  };
}

function importWords({ id, filename }: Job, end: ImportEnd): Words {
  switch (end.state) {
    case 'completed':
      return { title: 'Import finished', body: `${filename} is in your workspace.` };
    case 'failed':
      return { title: 'Import failed', body: end.reason };
    case 'asking':
      return {
        subject: `${id}/question`,
        title: 'Import needs your answer',
        body: `${filename} would make ${formatCount(end.newSpaces)} new spaces. Choose what its folders become.`,
      };
    case 'undone':
      return {
        subject: `${id}/undo`,
        title: 'Import undone',
        body: `What ${filename} brought in was taken back, except what was changed since.`,
      };
  }
}

export const NOTICES = {
  'login.new_device': ({ userId, device, address }: LogIn & { device: string }, tx) =>
    toAccount(tx, userId, {
      subject: device,
      title: `New log-in: ${device}`,
      body: `If this was not you, change your password and log the other sessions out.${cameFrom('The log-in', address)}`,
    }),
  'login.guessed': ({ userId, address }: LogIn, tx) =>
    toAccount(tx, userId, {
      title: 'Wrong passwords for your account',
      body: `Several wrong passwords were tried. New devices can now try one password a minute; devices you have used before are not affected.${cameFrom('The last one', address)}`,
    }),
  'password.changed': ({ userId }: Person, tx) =>
    toAccount(tx, userId, {
      title: 'Your password was changed',
      body: 'You were logged out on every other device. If this was not you, reset your password at once.',
    }),
  'api_key.created': ofKey('API key created'),
  'api_key.revoked': ofKey('API key revoked'),
  'oauth.connected': ({ actor, target }: Connection) => ({
    userId: actor.userId,
    workspaceId: actor.workspaceId,
    subject: target.id,
    title: 'App connected',
    body: target.name,
    priority: 'high',
  }),
  'impersonation.ended': (ended: { actor: Person; sessionId: string; reason: string }, tx) =>
    toAccount(tx, ended.actor.userId, {
      subject: ended.sessionId,
      title: 'Support viewed your account',
      body: `Reason: ${ended.reason}`,
    }),
  'limit.near': ofLimit,
  'limit.reached': ofLimit,
  'invite.received': ({ userId, invite, sender, until }: Person & Invitation) => ({
    userId,
    // The person is no member yet and has no such workspace.
    workspaceId: null,
    subject: invite.id,
    title: `${sender} invited you to ${invite.workspaceName}`,
    body: `Join ${INVITED_AS[invite.position]}. The invitation expires on ${until}.`,
    priority: 'medium',
    link: `${pathTo('accept_invite', {})}?invite=${invite.id}`,
  }),
  'invite.accepted': ({ invite, user, workspace: { name, slug } }: Acceptance) => ({
    ...toCreator(invite),
    title: `${user.forename ? displayName(user) : user.email} joined ${name}`,
    body: 'Your invitation was accepted.',
    priority: 'medium',
    link: pathTo('settings_members', { workspace_slug: slug }),
  }),
  'member.position': async ({ actor, target, to }: Acted & { target: UserId; to: Position }, tx) => {
    const { userId, workspaceId } = actor;
    if (userId === target) return [];
    const { name, slug } = await workspaceOf(tx, workspaceId);
    return {
      userId: target,
      workspaceId,
      subject: workspaceId,
      title: `Your position in ${name} changed`,
      body: `You are now ${POSITION_WORDS[to]}.`,
      priority: 'medium',
      link: pathTo('settings_members', { workspace_slug: slug }),
    };
  },
  'member.removed': async ({ actor, target }: { actor: Place; target: UserId }, tx) => ({
    userId: target,
    workspaceId: null,
    subject: actor.workspaceId,
    title: `You were removed from ${(await workspaceOf(tx, actor.workspaceId)).name}`,
    body: 'You no longer have access to this workspace.',
    priority: 'medium',
  }),
  'member.inherited': ({ workspaceId, from, to, counts }: Inheritance) => ({
    userId: to,
    workspaceId,
    subject: from,
    title: 'You received the private content of a former member',
    body: `You now own ${countOf(counts.space, 'private space')} and ${countOf(counts.thread, 'private thread')}.`,
    priority: 'medium',
  }),
  'space.shared': ofShare,
  'thread.shared': ofShare,
  'import.finished': ({ job, ...end }: { job: Job } & ImportEnd) => ({
    ...toCreator(job),
    ...importWords(job, end),
    priority: 'low',
  }),
  'export.ready': ({ job, slug, failure }: { job: Job; slug: string; failure?: string | undefined }) => ({
    ...toCreator(job),
    title: failure === undefined ? 'Export ready' : 'Export failed',
    body: failure ?? `${job.filename} can be downloaded for ${WORKSPACE_EXPORT.keepDays} days.`,
    priority: 'low',
    link: `/${slug}/settings`,
  }),
  'memory.failed': async ({ memory, reason }: { memory: Captured; reason: string }, tx) => {
    const { id, workspaceId, type, title, url } = memory;
    const [what, kept] = type === 'file' ? ['file', 'file'] : ['page', 'link'];
    return {
      ...toOwner(memory),
      // One notice for all pages of the person that fail within a few minutes.
      subject: workspaceId,
      title: `A ${what} could not be captured`,
      body: `“${(title ?? url ?? 'Untitled').slice(0, LIMITS.title)}”: ${reason} The ${kept} itself is saved.`,
      priority: 'low',
      link: `/${(await tx.get('workspace', workspaceId))?.slug ?? ''}?memory=${id}`,
    };
  },
  'feed.paused': async ({ feed, problem }: { feed: Owned & { title: string }; problem: string }, tx) => {
    const workspace = await tx.get('workspace', feed.workspaceId);
    return {
      ...toOwner(feed),
      title: 'A feed was paused',
      body: `“${feed.title}”: ${problem}`,
      priority: 'low',
      link: workspace && pathTo('settings_import', { workspace_slug: workspace.slug }),
    };
  },
  'webhook.disabled': ({ webhook, reason }: { webhook: Owned & { url: string }; reason: string }) => ({
    ...toOwner(webhook),
    title: 'A webhook was disabled',
    body: `${new URL(webhook.url).host}: ${reason}.`,
    priority: 'high',
  }),
  'memory.conflict': async ({ memory, authors }: { memory: Captured; authors: UserId[] }, tx) => {
    const { id, workspaceId, title } = memory;
    const workspace = await tx.get('workspace', workspaceId);
    return [...new Set(authors)].map((userId) => ({
      userId,
      workspaceId,
      subject: id,
      title: 'Both versions of a note were kept',
      body: `“${title ?? 'Untitled'}” was changed in two places at once.`,
      priority: 'medium',
      link: `/${workspace?.slug ?? ''}?memory=${id}`,
    }));
  },
  'report.decided': async ({ target, decision, note, appeal }: Decided, tx) => {
    const { kind, id, name, workspaceId, ownerId } = target;
    const isSuspended = decision === 'suspend_workspace';
    const owners = isSuspended ? await ownersOf(tx, workspaceId) : [];
    const sentences = [
      DECISION_WORDS[decision],
      note ?? '',
      isSuspended && appeal !== undefined ? `To appeal, write to ${appeal}.` : '',
    ];
    const titleFor = (userId: UserId) =>
      userId === ownerId ? `About your ${kind} “${name}”` : `About the ${kind} “${name}” in your workspace`;
    // In one order, because the realm of each is locked.
    return [...new Set([ownerId, ...owners])].toSorted().map((userId) => ({
      userId,
      workspaceId,
      subject: id,
      title: titleFor(userId).slice(0, LIMITS.title),
      body: sentences.filter((sentence) => sentence !== '').join(' '),
      priority: decision === 'dismiss' ? 'low' : 'high',
    }));
  },
  'news.published': (news: Omit<Notified, 'workspaceId' | 'priority'>) => ({
    ...news,
    workspaceId: null,
    priority: 'low',
  }),
  'report.received': ({ staffIds, kind, resourceId, name, reason }: Reported) =>
    staffIds.map((userId) => ({
      userId,
      workspaceId: null,
      subject: resourceId,
      title: `A ${kind} was reported: “${name}”`.slice(0, LIMITS.title),
      body: REPORT_REASON_LABELS[reason],
      priority: 'medium',
    })),
} satisfies Record<TriggerId, (facts: never, tx: ServerTx) => Notices | Promise<Notices>>;

export const MAILS = {
  'invite.created': ({ target }: { target: Invite }) => ({ mail: 'invite', inviteId: target.id }),
  'password.changed': ({ userId, occasion }: NewPassword) => ({ mail: 'password_changed', userId, occasion }),
} satisfies Partial<Record<AuditAction | TriggerId, (facts: never) => JobPayload<'mail.send'>>>;
