// The tables of mails that come in.
import type { Id } from '#shared/ids.ts';
import type { StoredSecret } from '../stored-secret.ts';

export interface MailAddressTable extends StoredSecret {
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
