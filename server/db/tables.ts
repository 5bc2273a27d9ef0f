// The table types for Kysely: entities as declared in shared, plus the tables that only the server knows.
// Times are ISO 8601 strings on both sides of the driver.
import type { ColumnType, Generated } from 'kysely';
import type { ImportJob } from '#shared/capture/import-job.ts';
import type { Row } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import type { Rating } from '#shared/threads/conversation.ts';

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
}

interface SlugRedirectTable {
  scope: string;
  slug: string;
  targetId: string;
  until: string;
}

interface SyncRealmTable {
  realmId: string;
  version: Generated<number>;
  minVersion: Generated<number>;
  epoch: Generated<string>;
  /** When the version was last increased. */
  updated: Generated<string>;
}

interface SyncVersionMarkTable {
  realmId: string;
  at: string;
  version: number;
}

interface SyncSettingTable {
  name: string;
  value: string;
}

interface SyncAudienceMemberTable {
  realmId: string;
  audienceId: string;
  userId: string;
}

interface SyncEntryTable {
  audienceId: string;
  key: string;
  realmId: string;
  kind: string;
  entityId: string;
  ver: number;
  live: boolean;
  born: number;
}

interface SyncClientGroupTable {
  id: string;
  userId: string;
  realmId: string;
  schemaVersion: string;
  lastSeen: string;
}

interface SyncClientTable {
  id: string;
  clientGroupId: string;
  lastMutationId: number;
  ver: number;
}

interface SyncMutationResultTable {
  clientId: string;
  mutationId: number;
  userId: string;
  realmId: string;
  name: string;
  args: Json<unknown>;
  code: string;
  message: string;
  created: string;
}

interface SyncMutationAttemptTable {
  clientId: string;
  mutationId: number;
  attempts: number;
  firstAt: string;
  lastError: string;
}

interface SyncWindowTable {
  realmId: string;
  userId: string;
  threadId: string;
  openedVer: number;
  openedAt: string;
}

interface RateLimitTable {
  key: string;
  points: number;
  expire: number | null;
}

interface IdempotencyKeyTable {
  userId: string;
  route: string;
  key: string;
  requestHash: string;
  /** Null while the first request runs. */
  status: number | null;
  body: string | null;
  headers: ColumnType<Record<string, string> | null, string | null, string | null>;
  created: string;
  claim: string | null;
  writes: Generated<string[]>;
}

interface CallCountTable {
  workspaceId: string;
  day: string;
  requests: number;
  errors: number;
  searches: number;
}

interface NewsletterSignupTable {
  email: string;
  created: string;
}

interface AccountDeletionTable {
  userId: string;
  requested: string;
  purgeAfter: string;
}

/** Counters start at zero by themselves. */
type Counter = ColumnType<number, number | undefined, number>;

interface ImportJobTable extends Omit<
  ImportJob,
  'problems' | 'processed' | 'imported' | 'updatedCount' | 'unchanged' | 'error'
> {
  processed: Counter;
  imported: Counter;
  updatedCount: Counter;
  unchanged: Counter;
  problems: Json<ImportJob['problems']>;
  error: ColumnType<string | null, string | null | undefined, string | null>;
}

interface ImportArchiveTable {
  importId: Id<'upload'>;
  seq: number;
  bytes: Buffer;
}

interface ImportItemTable {
  workspaceId: Id<'workspace'>;
  archive: string;
  path: string;
  part: number;
  contentHash: string;
  bodyHash: string | null;
  memoryId: Id<'memory'>;
}

interface MemorySearchTable {
  memoryId: string;
  workspaceId: string;
  /** A tsvector; only SQL looks into it. */
  document: unknown;
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
  decidedAt: ColumnType<string | null, string | null | undefined, string | null>;
  decision: ColumnType<string | null, string | null | undefined, string | null>;
  decidedBy: ColumnType<string | null, string | null | undefined, string | null>;
}

interface MessageRatingTable {
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
  sourceId: string;
  spaceId: string;
  created: string;
}

/** Every table by name. */
export interface Tables {
  user: Row<'user'>;
  user_password: UserPasswordTable;
  session: Row<'session'> & SessionSecrets;
  workspace: Row<'workspace'>;
  slug_redirect: SlugRedirectTable;
  workspace_member: Row<'workspace_member'>;
  space: Row<'space'>;
  memory: Omit<Row<'memory'>, 'metadata'> & { metadata: Json<Row<'memory'>['metadata']> };
  space_memory: Row<'space_memory'>;
  thread: Row<'thread'>;
  message: Omit<Row<'message'>, 'citations'> & { citations: Json<Row<'message'>['citations']> };
  notification: Omit<Row<'notification'>, 'metadata'> & { metadata: Json<Row<'notification'>['metadata']> };
  internal_event: InternalEventTable;
  hidden_resource: { resourceId: string; since: string; closed: Generated<boolean> };
  suspended_workspace: { workspaceId: string; since: string };
  public_visit: { resourceId: string; day: string; visitor: string };
  space_clone: SpaceCloneTable;
  message_rating: MessageRatingTable;
  import_job: ImportJobTable;
  import_archive: ImportArchiveTable;
  import_item: ImportItemTable;
  sync_realm: SyncRealmTable;
  sync_audience_member: SyncAudienceMemberTable;
  sync_entry: SyncEntryTable;
  sync_client_group: SyncClientGroupTable;
  sync_client: SyncClientTable;
  sync_mutation_result: SyncMutationResultTable;
  sync_mutation_attempt: SyncMutationAttemptTable;
  sync_window: SyncWindowTable;
  rate_limit: RateLimitTable;
  idempotency_key: IdempotencyKeyTable;
  visitor_salt: { day: string; salt: string };
  call_count: CallCountTable;
  newsletter_signup: NewsletterSignupTable;
  account_deletion: AccountDeletionTable;
  memory_search: MemorySearchTable;
  sync_version_mark: SyncVersionMarkTable;
  sync_setting: SyncSettingTable;
}
