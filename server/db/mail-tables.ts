// The tables of received mails.
import type { Id } from '#shared/ids.ts';
import type { SecretColumns } from './secret-columns.ts';

export interface MailAddressTable extends SecretColumns {
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  hash: string;
  created: string;
}

export interface ReceivedMailTable {
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
  key: string;
  received: string;
}
