// Types of the tables about events: notification settings, devices, subscriptions to push messages, and the audit log.
import type { ColumnType, Generated } from 'kysely';
import type { AuditAction, AuditEvent } from '#shared/audit/audit-event.ts';
import type { Id } from '#shared/ids.ts';
import type { AnsweringProvider } from '#shared/threads/answering-settings.ts';
import type { NotificationSettings } from '#shared/notifications/settings.ts';
import type { SecretColumns } from './secret-columns.ts';

/** A jsonb column: read as a value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;

interface NotificationSettingTable {
  userId: Id<'user'>;
  categories: Json<NotificationSettings['categories']>;
  triggers: Json<NotificationSettings['triggers']>;
  mutedWorkspaces: Id<'workspace'>[];
  digest: NotificationSettings['digest'];
  timezone: string;
  digestDueAt: string | null;
  updated: string;
}

interface PushSubscriptionTable {
  sessionId: Id<'session'>;
  userId: Id<'user'>;
  endpoint: string;
  p256dh: string;
  auth: string;
  created: string;
  lastSentAt: Generated<string | null>;
}

/** The secret is the private key. */
interface PushKeyTable extends SecretColumns {
  only: Generated<boolean>;
  publicKey: string;
  created: string;
}

interface AuditEventTable {
  workspaceId: Id<'workspace'>;
  id: Id<'internal_event'>;
  seq: Generated<number>;
  action: AuditAction;
  actorId: Id<'user'> | null;
  actorName: string | null;
  impersonatorId: Id<'user'> | null;
  via: AuditEvent['via'];
  targetKind: string | null;
  targetId: string | null;
  targetName: string | null;
  details: Json<AuditEvent['details']>;
  address: string | null;
  userAgent: string | null;
  created: string;
}

interface ModelUsageTable {
  workspaceId: string;
  day: string;
  calls: number;
  tokensIn: ColumnType<string, number | undefined, number>;
  tokensOut: ColumnType<string, number | undefined, number>;
  estimated: Generated<number>;
  embeddingCalls: Generated<number>;
  embeddingTokens: ColumnType<string, number | undefined, number>;
}

interface ImpersonationTable {
  sessionId: Id<'session'>;
  staffId: Id<'user'>;
  userId: Id<'user'>;
  reason: string;
  started: string;
  endsAt: string;
  ended: Generated<string | null>;
}

export interface NoticeTables {
  notification_setting: NotificationSettingTable;
  notification_digest_item: { userId: Id<'user'>; notificationId: Id<'notification'>; created: string };
  login_device: { userId: Id<'user'>; device: string; created: string; lastSeen: string };
  push_subscription: PushSubscriptionTable;
  push_key: PushKeyTable;
  audit_event: AuditEventTable;
  key_call_count: { workspaceId: string; keyId: string; day: string; requests: number };
  model_usage: ModelUsageTable;
  answering_setting: {
    workspaceId: Id<'workspace'>;
    provider: AnsweringProvider;
    url: string | null;
    model: string | null;
    describes: boolean;
    sealedKey: string | null;
    keyEnd: string | null;
    updated: string;
  };
  impersonation: ImpersonationTable;
  impersonation_code: {
    codeHash: string;
    staffId: Id<'user'>;
    userId: Id<'user'>;
    reason: string;
    expiresAt: string;
  };
}
