// The permission table: action × position → rule, and the one function `can` that buttons, mutators, REST handlers and tests
// call. Whether a row is readable at all is decided by its audience, not here.
import type { Id } from './ids.ts';

export const POSITIONS = ['owner', 'admin', 'member', 'read-only'] as const;
export type Position = (typeof POSITIONS)[number];

/** Facts about the resource of an action; a rule denies if a fact that it needs is missing. */
export interface Subject {
  /** User who owns or created the resource. */
  ownerId?: string | null;
  /** The whole workspace is in the resource's base audience. */
  workspaceReads?: boolean;
  /** Level that the actor was granted on this resource, as a guest or as one of the chosen people. */
  grant?: 'read' | 'write';
  /** Position of the member acted on, or the position being assigned. */
  position?: Position;
  /** False when the workspace forbids members to share publicly. */
  publicSharing?: boolean;
  /** The acting member is the only owner left. */
  lastOwner?: boolean;
}

/** Who acts: a member with a position, or a guest who is no member. */
export interface Actor {
  userId: Id<'user'>;
  position: Position | 'guest';
}

const RULES = {
  yes: () => true,
  no: () => false,
  own: (actor: Actor, subject: Subject) => subject.ownerId === actor.userId,
  ownOrWorkspace: (actor: Actor, subject: Subject) =>
    subject.ownerId === actor.userId || subject.workspaceReads === true,
  ownIfSharingAllowed: (actor: Actor, subject: Subject) =>
    subject.ownerId === actor.userId && subject.publicSharing !== false,
  ownOrWorkspaceOrGrant: (actor: Actor, subject: Subject) =>
    subject.ownerId === actor.userId || subject.workspaceReads === true || subject.grant === 'write',
  writeGrant: (_actor: Actor, subject: Subject) => subject.grant === 'write',
  ownWithWriteGrant: (actor: Actor, subject: Subject) =>
    subject.ownerId === actor.userId && subject.grant === 'write',
  anyGrant: (_actor: Actor, subject: Subject) => subject.grant !== undefined,
  belowOwner: (_actor: Actor, subject: Subject) =>
    subject.position !== undefined && subject.position !== 'owner',
  belowAdmin: (_actor: Actor, subject: Subject) =>
    subject.position === 'member' || subject.position === 'read-only',
  notLastOwner: (_actor: Actor, subject: Subject) => subject.lastOwner !== true,
} as const;

type Rule = keyof typeof RULES;
/** owner, admin, member, read-only, guest */
type Row = readonly [Rule, Rule, Rule, Rule, Rule];

/** One row per action, columns owner, admin, member, read-only, guest. */
export const PERMISSIONS = {
  'workspace.read': ['yes', 'yes', 'yes', 'yes', 'no'],
  'workspace.update': ['yes', 'yes', 'no', 'no', 'no'],
  'workspace.rename_slug': ['yes', 'no', 'no', 'no', 'no'],
  'workspace.remove': ['yes', 'no', 'no', 'no', 'no'],
  'workspace.transfer': ['yes', 'no', 'no', 'no', 'no'],
  'workspace.billing': ['yes', 'no', 'no', 'no', 'no'],
  'workspace.leave': ['notLastOwner', 'yes', 'yes', 'yes', 'yes'],
  'usage.read': ['yes', 'yes', 'yes', 'no', 'no'],
  'usage.read_full': ['yes', 'yes', 'no', 'no', 'no'],
  'audit.read': ['yes', 'no', 'no', 'no', 'no'],
  'member.read_email': ['yes', 'yes', 'yes', 'no', 'no'],
  'member.update': ['notLastOwner', 'belowAdmin', 'no', 'no', 'no'],
  'member.remove': ['notLastOwner', 'belowAdmin', 'no', 'no', 'no'],
  'invite.read': ['yes', 'yes', 'no', 'no', 'no'],
  'invite.create': ['belowOwner', 'belowAdmin', 'no', 'no', 'no'],
  'invite.revoke': ['yes', 'belowAdmin', 'no', 'no', 'no'],
  'api_key.create': ['yes', 'yes', 'yes', 'no', 'no'],
  'api_key.read': ['yes', 'yes', 'own', 'no', 'no'],
  'api_key.remove': ['yes', 'yes', 'own', 'no', 'no'],
  'memory.create': ['yes', 'yes', 'yes', 'no', 'writeGrant'],
  'memory.update': ['yes', 'yes', 'ownOrWorkspaceOrGrant', 'no', 'writeGrant'],
  'memory.remove': ['yes', 'yes', 'own', 'no', 'ownWithWriteGrant'],
  'memory.move': ['yes', 'yes', 'own', 'no', 'no'],
  'memory.widen': ['yes', 'yes', 'ownOrWorkspace', 'no', 'no'],
  'import.read': ['yes', 'yes', 'own', 'own', 'no'],
  'import.choose': ['own', 'own', 'own', 'no', 'no'],
  'import.undo': ['yes', 'yes', 'own', 'no', 'no'],
  'feed.create': ['yes', 'yes', 'yes', 'no', 'no'],
  'feed.manage': ['yes', 'yes', 'own', 'no', 'no'],
  'space.create': ['yes', 'yes', 'yes', 'no', 'no'],
  'space.update': ['yes', 'yes', 'own', 'no', 'no'],
  'space.remove': ['yes', 'yes', 'own', 'no', 'no'],
  'space.publish': ['yes', 'yes', 'ownIfSharingAllowed', 'no', 'no'],
  'sidebar.update': ['yes', 'yes', 'yes', 'yes', 'no'],
  'space.file': ['yes', 'yes', 'ownOrWorkspaceOrGrant', 'no', 'writeGrant'],
  'thread.create': ['yes', 'yes', 'yes', 'no', 'no'],
  'thread.update': ['yes', 'yes', 'own', 'no', 'no'],
  'thread.remove': ['yes', 'yes', 'own', 'no', 'no'],
  'thread.publish': ['yes', 'yes', 'ownIfSharingAllowed', 'no', 'no'],
  'message.create': ['yes', 'yes', 'ownOrWorkspaceOrGrant', 'no', 'writeGrant'],
  'message.rate': ['yes', 'yes', 'yes', 'yes', 'anyGrant'],
  'message.export': ['yes', 'yes', 'yes', 'yes', 'anyGrant'],
  'thread.open': ['yes', 'yes', 'yes', 'yes', 'anyGrant'],
  'grant.leave': ['yes', 'yes', 'yes', 'yes', 'yes'],
  'notification.see': ['yes', 'yes', 'yes', 'yes', 'yes'],
  'profile.update': ['yes', 'yes', 'yes', 'yes', 'yes'],
  'oauth.authorize': ['yes', 'yes', 'yes', 'yes', 'no'],
  'oauth.register_client': ['yes', 'yes', 'no', 'no', 'no'],
  'oauth.verify_client': ['yes', 'no', 'no', 'no', 'no'],
  'webhook.manage': ['yes', 'yes', 'no', 'no', 'no'],
  'answering.manage': ['yes', 'yes', 'no', 'no', 'no'],
} as const satisfies Record<string, Row>;

export type Action = keyof typeof PERMISSIONS;

const COLUMN = { owner: 0, admin: 1, member: 2, 'read-only': 3, guest: 4 } as const;

/** Whether the actor may perform the action on a resource that the actor can already read. */
export function can(actor: Actor, action: Action, subject: Subject = {}): boolean {
  return RULES[PERMISSIONS[action][COLUMN[actor.position]]](actor, subject);
}
