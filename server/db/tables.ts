// The table types for Kysely: entities as declared in shared, plus the tables of the server alone. Times are ISO 8601
// strings on both sides of the driver.
import type { ColumnType, Generated } from 'kysely';
import type { Scope } from '#shared/api-keys/scopes.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import type { EntityKind, Row } from '#shared/entities.ts';
import type { JsonColumn } from '#shared/kinds.ts';
import type { Id } from '#shared/ids.ts';
import type { Rating } from '#shared/threads/conversation.ts';
import type { Webhook, WebhookDelivery } from '#shared/webhooks/webhook.ts';
import type {
  FeedEntryTable,
  FeedTable,
  MailAddressTable,
  ReceivedMailTable,
  ExportJobTable,
  ImportChangeTable,
  ImportPlaceTable,
  MemoryPageTable,
  PartialUploadPieceTable,
  PartialUploadTable,
  UploadTable,
} from './capture-tables.ts';
import type { SecretColumns } from './secret-columns.ts';
import type {
  SyncRealmTable,
  SyncVersionMarkTable,
  SyncSettingTable,
  SyncAudienceMemberTable,
  SyncEntryTable,
  SyncClientGroupTable,
  SyncClientTable,
  SyncMutationResultTable,
  SyncMutationAttemptTable,
  GrantMailTable,
  SyncSpaceAudienceTable,
  SyncWindowTable,
} from './sync-tables.ts';
import type { NoticeTables } from './notice-tables.ts';
import type { SignInTables } from './sign-in-tables.ts';

/** A jsonb column: read as a value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;

interface UserPasswordTable {
  userId: string;
  hash: string;
  updated: string;
}

interface SessionSecrets {
  tokenHash: string;
  /** Absolute end, whatever the activity. */
  endsAt: string;
  /** When the password was entered again after the log-in. */
  confirmed: Generated<string | null>;
}

/** Columns of an API key that are never synced. */
interface ApiKeySecrets {
  tokenHash: string;
}

/** Columns of an invitation that are never synced. */
interface InviteSecrets {
  /** Of the token in the mail; null until the mail is written and when the invitation is over. */
  tokenHash: string | null;
  acceptedBy: Id<'user'> | null;
}

/** Columns of an OAuth client that are never synced. */
interface OauthClientSecrets {
  identifier: string;
  workspaceId: Id<'workspace'> | null;
  createdBy: Id<'user'> | null;
  metadata: Json<Record<string, unknown>>;
  workspaceVerified: Generated<boolean>;
  secretHash: string | null;
  lastUsedAt: string | null;
}

interface OauthGrantTable {
  id: string;
  clientId: Id<'oauth_client'>;
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  scopes: Scope[];
  spaceIds: Id<'space'>[] | null;
  payload: Json<Record<string, unknown>>;
  created: string;
  lastUsedAt: string;
}

/** Stored token or code of a client. */
interface OauthValueTable {
  grantId: string;
  payload: Json<Record<string, unknown>>;
  created: string;
  expiresAt: string;
}

interface OauthTokenTable extends OauthValueTable {
  tokenHash: string;
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  clientId: string;
  scopes: Scope[];
  spaceIds: Id<'space'>[] | null;
  audience: string | null;
}

/** A code or a refresh token: works once. */
interface OauthOnceTable extends OauthValueTable {
  valueHash: string;
  consumedAt: Generated<string | null>;
}

/** The secret is the private key as JSON Web Key. */
interface OauthSigningKeyTable extends SecretColumns {
  kid: string;
  created: string;
}

interface EmailTokenTable {
  userId: Id<'user'>;
  purpose: 'verify' | 'reset' | 'change' | 'restore';
  email: string;
  tokenHash: string;
  expiresAt: string;
  codeHash: string | null;
  codeExpiresAt: string | null;
  codeTries: number;
}

interface MailOutboxTable {
  id: Generated<number>;
  to: string;
  subject: string;
  text: string;
  html: string;
  created: string;
}

interface SlugRedirectTable {
  scope: string;
  slug: string;
  targetId: string;
  until: string;
}

interface RateLimitTable {
  key: string;
  points: number;
  expire: number | null;
}

interface CallCountTable {
  workspaceId: string;
  day: string;
  requests: number;
  errors: number;
  searches: number;
}

interface AccountDeletionTable {
  userId: string;
  requested: string;
  purgeAfter: string;
}

/** The columns of an import that begin with a value of the database, are stored otherwise, or are not shown. */
interface ImportJobColumns {
  spacesMax: Generated<number | null>;
  counted: Generated<number>;
  countedSpaces: ColumnType<[slug: string, name: string][], string | undefined, string>;
  newSpaces: Generated<number>;
  newSpaceNames: ColumnType<string[], string | undefined, string>;
  answered: Generated<string | null>;
  undo: Generated<ImportJob['undo']>;
  removedCount: Generated<number>;
  restoredCount: Generated<number>;
  keptCount: Generated<number>;
  kept: ColumnType<ImportJob['kept'], string | undefined, string>;
  processed: Generated<number>;
  imported: Generated<number>;
  updatedCount: Generated<number>;
  unchanged: Generated<number>;
  problems: Json<ImportJob['problems']>;
  error: Generated<string | null>;
}

type ImportJobTable = Omit<ImportJob, keyof ImportJobColumns> & ImportJobColumns;

interface ImportItemTable {
  workspaceId: Id<'workspace'>;
  archive: string;
  path: string;
  part: number;
  contentHash: string;
  bodyHash: string | null;
  memoryId: Id<'memory'>;
  undone: Generated<boolean>;
}

interface MemorySearchTable {
  memoryId: string;
  workspaceId: string;
  /** A tsvector; used in SQL only. */
  document: unknown;
}

interface MemoryVectorTable {
  workspaceId: string;
  memoryId: string;
  position: number;
  fingerprint: string;
  contentHash: string;
  field: 'title' | 'description' | 'summary' | 'notes' | 'page';
  text: string;
  vector: Buffer;
}

interface InternalEventTable {
  id: string;
  kind: string;
  resourceId: string;
  reason: string;
  details: string | null;
  email: string | null;
  reporter: string;
  created: string;
  decidedAt: Generated<string | null>;
  decision: Generated<string | null>;
  decidedBy: Generated<string | null>;
}

interface MessageRatingTable {
  workspaceId: string;
  id: Id<'rating'>;
  messageId: string;
  rater: string;
  value: 1 | -1;
  reason: Rating['reason'];
  comment: string | null;
  created: string;
  updated: string;
}

interface SpaceCloneTable {
  workspaceId: string;
  sourceId: string;
  spaceId: string;
  created: string;
}

/** A row of an entity as the driver reads and writes it. */
type Stored<K extends EntityKind> = {
  [C in keyof Row<K>]: C extends JsonColumn<K> ? Json<Row<K>[C]> : Row<K>[C];
};

type EntityTables = { [K in EntityKind]: Stored<K> };

/** Every table by name: one for each entity, and those of the server alone. */
export interface Tables
  extends Omit<EntityTables, 'session' | 'api_key' | 'invite' | 'oauth_client'>, NoticeTables, SignInTables {
  session: Stored<'session'> & SessionSecrets;
  user_password: UserPasswordTable;
  api_key: Stored<'api_key'> & ApiKeySecrets;
  invite: Stored<'invite'> & InviteSecrets;
  oauth_client: Stored<'oauth_client'> & OauthClientSecrets;
  oauth_grant: OauthGrantTable;
  oauth_code: OauthOnceTable;
  oauth_refresh: OauthOnceTable;
  oauth_token: OauthTokenTable;
  oauth_signing_key: OauthSigningKeyTable;
  email_token: EmailTokenTable;
  email_change: { userId: Id<'user'>; email: string; requested: string };
  mail_outbox: MailOutboxTable;
  slug_redirect: SlugRedirectTable;
  internal_event: InternalEventTable;
  hidden_resource: { workspaceId: string; resourceId: string; since: string; closed: Generated<boolean> };
  suspended_workspace: { workspaceId: string; since: string };
  public_visit: { resourceId: string; day: string; visitor: string };
  space_clone: SpaceCloneTable;
  message_rating: MessageRatingTable;
  import_job: ImportJobTable;
  import_item: ImportItemTable;
  import_change: ImportChangeTable;
  import_place: ImportPlaceTable;
  export_job: ExportJobTable;
  sync_realm: SyncRealmTable;
  sync_audience_member: SyncAudienceMemberTable;
  sync_entry: SyncEntryTable;
  sync_client_group: SyncClientGroupTable;
  sync_client: SyncClientTable;
  sync_mutation_result: SyncMutationResultTable;
  sync_mutation_attempt: SyncMutationAttemptTable;
  sync_window: SyncWindowTable;
  sync_space_audience: SyncSpaceAudienceTable;
  grant_mail: GrantMailTable;
  rate_limit: RateLimitTable;
  idempotency_key: IdempotencyKeyTable;
  feed: FeedTable;
  feed_entry: FeedEntryTable;
  mail_address: MailAddressTable;
  received_mail: ReceivedMailTable;
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
  visitor_thread: {
    threadId: string;
    workspaceId: string;
    spaceId: string;
    withText: boolean;
    created: string;
    keyHash: string;
  };
  visitor_question_day: { workspaceId: string; day: string; questions: number };
  site_icon: { hash: string; picture: Buffer | null; fetched: string };
  visitor_salt: { day: string; salt: string };
  call_count: CallCountTable;
  account_deletion: AccountDeletionTable;
  memory_page: MemoryPageTable;
  partial_upload: PartialUploadTable;
  partial_upload_piece: PartialUploadPieceTable;
  upload: UploadTable;
  memory_vector: MemoryVectorTable;
  memory_search: MemorySearchTable;
  sync_version_mark: SyncVersionMarkTable;
  sync_setting: SyncSettingTable;
}

interface IdempotencyKeyTable {
  /** Id of the user, or `public`. */
  caller: string;
  route: string;
  key: string;
  requestHash: string;
  /** Null until the request is done. */
  status: number | null;
  body: string | null;
  headers: ColumnType<Record<string, string> | null, string | null, string | null>;
  created: string;
  /** One JSON text for each write transaction that was committed for the request. */
  writes: Generated<string[]>;
}

interface WebhookTable extends Webhook, SecretColumns {
  /** Up to where changes were turned into deliveries. */
  cursor: string;
}

interface WebhookDeliveryTable extends Omit<WebhookDelivery, 'attempts'> {
  workspaceId: Id<'workspace'>;
  ownerId: Id<'user'>;
  payload: string;
  attempts: Generated<number>;
}
