/**
 * Where the rows of each table live: with a workspace (or an account, where a realm may be one), by the column that names
 * it, or elsewhere. Keys of the former begin with the column and statements name it, so that the rows of one workspace
 * can live together on one server of many (content/internal/decisions/rows-of-a-workspace.md).
 */

/** Table → the column that names the workspace or the realm. */
export const TENANT_COLUMNS: Readonly<Record<string, string>> = {
  workspace: 'id',
  ...columnOf('workspaceId', [
    ...'answer_draft answering_setting api_key audit_event call_count embedding_work'.split(' '),
    ...'export_job feed feed_entry grant grant_mail hidden_resource'.split(' '),
    ...'mail_address received_mail'.split(' '),
    ...'import_change import_item import_job import_place invite'.split(' '),
    ...'key_call_count memory memory_alias memory_departure memory_embedding'.split(' '),
    ...'memory_page memory_search memory_vector message message_rating model_usage'.split(' '),
    ...'sidebar space space_clone space_memory'.split(' '),
    ...'partial_upload partial_upload_piece suspended_workspace thread upload'.split(' '),
    'visitor_question_day',
    ...'visitor_thread webhook webhook_delivery workspace_member'.split(' '),
  ]),
  notification: 'userId',
  ...columnOf('realmId', [
    ...'sync_audience_member sync_entry sync_realm sync_space_audience sync_version_mark'.split(' '),
    'sync_window',
  ]),
};

/** Table → why its rows belong to no single workspace. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  ...because('of a person', [
    ...'user user_password session passkey authenticator_app recovery_code login_device'.split(' '),
    ...'email_token email_change account_deletion push_subscription'.split(' '),
    ...'notification_setting notification_digest_item impersonation impersonation_code'.split(' '),
  ]),
  ...because('found by a secret, before it is known whose it is', [
    ...'oauth_client oauth_grant oauth_token oauth_code oauth_refresh webauthn_challenge'.split(' '),
    ...'provider_request provider_proof idempotency_key'.split(' '),
  ]),
  ...because(
    'found by the id that a device gave itself, whatever workspace it speaks of',
    'sync_client_group sync_client sync_mutation_result sync_mutation_attempt'.split(' '),
  ),
  ...because('of the installation', [
    ...'oauth_signing_key push_key site_icon sync_setting visitor_salt rate_limit mail_outbox'.split(' '),
    ...'newsletter_signup news schema_migration slug_redirect'.split(' '),
  ]),
  ...because(
    'what the public does, for lists of all public things and for staff',
    'public_visit internal_event'.split(' '),
  ),
};

/** Table → why a cluster has a copy of it on every node. These are read with rows of workspaces, and seldom written. */
const COPIED: Readonly<Record<string, string>> = {
  user: 'rows of workspaces name people',
  account_deletion: 'what the person shows to the public is hidden from then on',
  workspace: 'rows of a workspace refer to it, and slugs are unique in the whole installation',
  workspace_member: 'it is read by workspace and by person, and consents and tokens refer to it',
  sync_mutation_result: 'it moves from the realm of a workspace to that of its author',
};

/** What a cluster does with a table: spread its rows by a column, have a copy on every node, or leave it on the coordinator. */
export type Placement = { column: string } | 'reference' | 'local';

/** The placement of a table; undefined for one that is not listed above. */
export function placementOf(table: string): Placement | undefined {
  if (Object.hasOwn(COPIED, table)) return 'reference';
  const column = Object.hasOwn(TENANT_COLUMNS, table) ? TENANT_COLUMNS[table] : undefined;
  if (column !== undefined) return { column };
  return Object.hasOwn(ELSEWHERE, table) ? 'local' : undefined;
}

function columnOf(column: string, tables: readonly string[]): Record<string, string> {
  return Object.fromEntries(tables.map((table) => [table, column]));
}

function because(reason: string, tables: readonly string[]): Record<string, string> {
  return columnOf(reason, tables);
}
