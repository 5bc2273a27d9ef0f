// The table of events that cause notifications: what each is called in settings and in mails, and its category.
import type { NotificationCategory } from './notification.ts';

export interface TriggerRow {
  category: NotificationCategory;
  /** Name in the settings. */
  label: string;
  /** Only the people who run a server receive it. */
  staff?: true;
  /** Sends a mail of its own, so no notification mail is sent. */
  mailedApart?: true;
  /** Never mailed by itself but in the digest, which comes daily to people who chose none. */
  collected?: true;
}

export const TRIGGERS = {
  'login.new_device': { category: 'security', label: 'Log-in on a new device' },
  'login.guessed': { category: 'security', label: 'Wrong passwords' },
  'password.changed': { category: 'security', label: 'Password changed', mailedApart: true },
  'api_key.created': { category: 'security', label: 'API key created' },
  'api_key.revoked': { category: 'security', label: 'API key revoked' },
  'oauth.connected': { category: 'security', label: 'App connected' },
  'impersonation.ended': { category: 'security', label: 'Support viewed your account' },
  'limit.near': { category: 'billing', label: '80 % of a limit used' },
  'limit.reached': { category: 'billing', label: 'Limit reached' },
  'invite.received': { category: 'workspace', label: 'Invitation to a workspace', mailedApart: true },
  'invite.accepted': { category: 'workspace', label: 'Invitation accepted' },
  'member.position': { category: 'workspace', label: 'Your position changed' },
  'member.removed': { category: 'workspace', label: 'You were removed from a workspace' },
  'member.inherited': { category: 'workspace', label: 'You received content of a former member' },
  'space.shared': { category: 'workspace', label: 'A space was shared with you' },
  'thread.shared': { category: 'workspace', label: 'A thread was shared with you' },
  'import.finished': { category: 'workspace', label: 'Import finished' },
  'export.ready': { category: 'workspace', label: 'Export ready' },
  'memory.failed': { category: 'workspace', label: 'Pages could not be captured', collected: true },
  'feed.paused': { category: 'workspace', label: 'A feed was paused' },
  'webhook.disabled': { category: 'workspace', label: 'A webhook was disabled' },
  'memory.conflict': { category: 'workspace', label: 'Two versions of a note were kept' },
  'report.decided': { category: 'workspace', label: 'A report about your content was decided' },
  'news.published': { category: 'internal', label: 'Product news' },
  'report.received': { category: 'internal', label: 'Content was reported', staff: true },
} as const satisfies Record<string, TriggerRow>;

export type TriggerId = keyof typeof TRIGGERS;

export const TRIGGER_IDS = Object.keys(TRIGGERS) as readonly TriggerId[];
