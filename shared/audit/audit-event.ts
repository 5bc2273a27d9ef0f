// The audit log of a workspace: the table of actions, and one event as owners read it.
import { z } from 'zod';
import { idOf } from '../define/id-schema.ts';
import { timestamp } from '../define/fields.ts';

/** Actions with their labels; `{target}` is replaced by the name of the target. */
export const AUDIT_ACTIONS = {
  'login.failed': 'Failed log-in',
  'member.joined': 'Member joined',
  'member.position': 'Position changed',
  'member.removed': 'Member removed',
  'member.left': 'Member left',
  'workspace.transferred': 'Ownership transferred',
  'workspace.removed': 'Workspace deleted',
  'workspace.restored': 'Workspace restored',
  'workspace.exported': 'Workspace exported',
  'invite.created': 'Invitation sent',
  'invite.revoked': 'Invitation revoked',
  'grant.created': 'Access given',
  'grant.accepted': 'Guest let in',
  'grant.changed': 'Access changed',
  'grant.removed': 'Access withdrawn',
  'grant.left': 'Share left',
  'space.visibility': 'Visibility of a space changed',
  'space.removed': 'Space deleted',
  'thread.visibility': 'Visibility of a thread changed',
  'thread.removed': 'Thread deleted',
  'thread.exported': 'Thread exported',
  'memory.removed': 'Memory deleted',
  'api_key.created': 'API key created',
  'api_key.revoked': 'API key revoked',
  'mail_address.created': 'E-mail address for saving created',
  'mail_address.removed': 'E-mail address for saving switched off',
  'oauth.allowed': 'App connected',
  'oauth.disconnected': 'App disconnected',
  'oauth_client.created': 'OAuth client registered',
  'oauth_client.renewed': 'Secret of an OAuth client replaced',
  'oauth_client.verified': 'Verification of an OAuth client changed',
  'oauth_client.removed': 'OAuth client removed',
  'account.exported': 'Account data exported',
  'account.removed': 'Account deleted',
  'answering.changed': 'Writer of answers changed',
  'audit.exported': 'Audit log exported',
  'report.decided': 'Report decided by staff',
  'impersonation.started': 'Support began to view an account',
  'impersonation.ended': 'Support stopped viewing an account',
  'impersonation.call': 'Support looked something up',
  'impersonation.edit': 'Support changed content',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];

/** By what kind of credential; system = without one. */
const AUDIT_VIAS = ['session', 'api_key', 'oauth_token', 'system'] as const;

export const auditEvent = {
  row: z.object({
    id: idOf('internal_event'),
    action: z.enum(AUDIT_ACTION_NAMES),
    /** Null for what has no person behind it. */
    actorId: idOf('user').nullable(),
    actorName: z.string().nullable(),
    /** Staff acted as the person. */
    impersonated: z.boolean(),
    via: z.enum(AUDIT_VIAS),
    targetKind: z.string().nullable(),
    targetId: z.string().nullable(),
    targetName: z.string().nullable(),
    /** Further facts, such as the former and the present value. */
    details: z.record(z.string(), z.unknown()),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    created: timestamp,
  }),
  filters: ['action', 'actorId', 'via', 'targetKind', 'targetId', 'impersonated'],
  orderBy: ['created'],
} as const;
export type AuditEvent = z.output<(typeof auditEvent)['row']>;
