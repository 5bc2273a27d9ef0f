/** Descriptions of fields in the API reference: workspaces, members, invitations and usage. */
import { CHOSEN_ID, type FieldTexts, type RowTexts } from '../define/field-texts.ts';
import type { invite } from './invite.ts';
import type { workspace } from './workspace.ts';
import type { memberHead } from './workspace-member.ts';

const workspaceTexts = {
  ownerId:
    'Id of the owner who founded it or got it by a transfer; more members may have the position of owner.',
  slug: 'Address below that of the server. Earlier ones lead here for 90 days.',
  domain:
    'Mail domain whose confirmed addresses read what has the visibility `internal`; only an owner with an address there sets it, null opens nothing.',
  name: 'Shown to members and, where something is public, to everyone.',
  description: 'Shown on the public page of the workspace; null shows none.',
  allowPublicSharing: 'False keeps members from making their own spaces and threads public.',
  publicChat: 'True lets visitors ask the public spaces.',
} satisfies RowTexts<typeof workspace, 'deletedAt'>;

const memberTexts = {
  userId: 'Id of the user; the same in all workspaces.',
  invitedBy: 'Id of the member who invited; null for the founder.',
  position:
    'Owners decide over the workspace, admins over people and settings; `read-only` members read what `member` does.',
  forename: 'Null until the person gives one.',
  surname: 'Null until the person gives one.',
  username: 'The name that the public sees; null until the person chooses one.',
} satisfies RowTexts<{ row: typeof memberHead }>;

const inviteTexts = {
  email: 'The invitation can be accepted by the account that proves this address.',
  acceptedAt: 'In UTC; null until then.',
  position: 'Position that the person gets; a member can be made an owner later.',
  status: '`revoked` was withdrawn or declined; `expired` was not answered within seven days.',
  expiresAt: 'When it can no longer be accepted, in UTC.',
  lastSentAt: 'When the mail was sent last, in UTC; null until the first one has left.',
} satisfies RowTexts<typeof invite>;

/** Counts of the usage page. Null is not zero: it is not counted on this server. */
const usageTexts = {
  period: 'The calendar month in UTC, which all counts of a period are about.',
  'period.start': 'First moment of the month.',
  'period.end': 'First moment of the next month.',
  memories: 'Counts of memories; the trash is not part of them.',
  'memories.total': 'All memories, archived ones too.',
  'memories.archived': 'Those of `total` that are archived.',
  'memories.byType': 'Count by `type`.',
  'memories.byOrigin': 'Count by `origin`.',
  'memories.byStatus': 'Count by `contentStatus`.',
  'memories.created': 'Saved within the period.',
  spaces: 'Counts of spaces.',
  'spaces.total': 'All spaces, private ones of other members too.',
  'spaces.public': 'Those that anyone with the address reads.',
  threads: 'Counts of threads.',
  'threads.total': 'All threads, private ones of other members too.',
  'threads.public': 'Those that anyone with the address reads.',
  messages: 'Counts of messages.',
  'messages.total': 'All messages, those of the assistant too.',
  'messages.inPeriod': 'Written within the period.',
  'messages.byRole': 'Count by `role`.',
  members: 'Counts of members; guests are not part of them.',
  'members.total': 'All members.',
  'members.byPosition': 'Count by `position`.',
  'members.pendingInvites': 'Invitations that wait for an answer.',
  storage: 'What texts and files take.',
  'storage.bytes': 'Notes and files together.',
  'storage.byKind': 'Bytes of `notes` and of `files`.',
  ai: 'Work of language models; null for members who are neither owner nor admin.',
  calls: 'Answers that a language model wrote.',
  tokensIn: 'Tokens that the model read.',
  tokensOut: 'Tokens that the model wrote.',
  'ai.estimated': 'Those of `calls` whose tokens were estimated, because the service did not report them.',
  'ai.byFeature':
    'Calls by what they were for; `embedding` counts requests for vectors of texts and searches.',
  'ai.embeddingTokens': 'Tokens that those requests read, as far as the service reported them.',
  'ai.byDay': 'Days of the last 30 that had calls, oldest first.',
  date: 'A day in UTC.',
  search: 'Counts of searches.',
  'search.queries': 'Searches within the period; null where they are not counted.',
  api: 'Counts of API calls of members.',
  'api.requests': 'Calls within the period; null where they are not counted.',
  'api.errors': 'Those of `requests` that failed; null where they are not counted.',
  'api.byKey': 'Calls of each key; null for members who are neither owner nor admin.',
  'api.byKey.id': 'Id of the key, also of a revoked one.',
  'api.byKey.name': 'Null for a key that was revoked.',
  'api.byKey.requests': 'Calls with the key within the period.',
  publicViews: 'Visits of public pages within the period.',
  'publicViews.spaces': 'Visits of spaces; null where they are not counted.',
  'publicViews.threads': 'Visits of threads; null where they are not counted.',
  series: 'The last 30 days, oldest first.',
  'series.memories': 'Memories saved on the day.',
  'series.messages': 'Messages written on the day.',
  'series.requests': 'API calls on the day; null where they are not counted.',
  topDomains: 'The ten sites from which most links are.',
  'topDomains.domain': 'Host of the links, without `www.`.',
  'topDomains.count': 'Links to it.',
  topTags: 'The ten most used tags.',
  'topTags.tag': 'In lower case.',
  'topTags.count': 'Memories that carry it.',
  limits: 'Highest count by name, such as `members`; null means unlimited.',
};

const memberId = 'Id of the membership, or of the user.';
const mailedToken = 'From the mail; it also proves the address of an account that has not confirmed it yet.';

export const workspaceFieldTexts = {
  Workspace: workspaceTexts,
  WorkspaceMember: { ...memberTexts, email: 'Null for who may not see addresses of members.' },
  Invite: inviteTexts,
  OpenedInvite: {
    ...inviteTexts,
    workspaceName: 'Name of the workspace that the person would join.',
    senderName: 'Name of the person who invites, or the address without one.',
    senderEmail: 'Address of the person who invites.',
  },
  Suspension: {
    since: 'When it was decided, in UTC.',
    contact: 'Address to appeal to; null when this server names none.',
  },
  Usage: usageTexts,
  PublicWorkspace: {
    spaceCount: 'Public spaces; unlisted ones are not counted.',
    threadCount: 'Public threads; unlisted ones are not counted.',
  },
  'workspace.create': {
    id: CHOSEN_ID,
    slug: 'Address below that of the server; made of the name when it is left out, 409 when it is taken.',
  },
  'workspace.get_by_slug': {
    slug: 'Present address, or one that the workspace had within the last 90 days.',
  },
  'workspace.add_sample': { spaceId: 'Id of the sample space; the same at every call.' },
  'workspace.list_deleted': {
    deletedAt: 'When it was closed, in UTC; its content is deleted 14 days later.',
  },
  'workspace.transfer': { userId: 'Id of a member, who becomes the owner.' },
  'workspace_member.get': { id: memberId },
  'workspace_member.update': { id: memberId },
  'workspace_member.remove': { id: memberId },
  'invite.create': { position: 'Owners are made of members, so nobody is invited as one.' },
  'invite.open': { token: mailedToken },
  'public_invite.open': { token: 'From the mail.' },
  'invite.answer': { status: '`accepted` joins the workspace, `revoked` declines.', token: mailedToken },
  'public_workspace.get_by_slug': { slug: 'Address of the workspace, as its links have it.' },
} as const satisfies FieldTexts;
