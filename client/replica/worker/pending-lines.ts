// Changes that wait for the server, as lines for the page. Pure.
import type { PendingMutation } from 'replicache';
import type { PendingChange, Problem } from '#client/replica/status.ts';
import type { MutateFailure } from '#client/replica/wire.ts';
import type { JournalRecord } from '#client/replica/worker/journal-records.ts';

function subjectOf(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined;
  const about = 'id' in args ? args.id : 'memoryId' in args ? args.memoryId : undefined;
  return typeof about === 'string' ? about : undefined;
}

function countOf(args: unknown): number | undefined {
  if (typeof args !== 'object' || args === null) return undefined;
  const about = 'ids' in args ? args.ids : 'memoryIds' in args ? args.memoryIds : undefined;
  return Array.isArray(about) ? about.length : undefined;
}

export function waitingLines(pending: readonly PendingMutation[], realmId: string): PendingChange[] {
  return pending.map(({ clientID, id, name, args }) => ({
    id: `${clientID}/${id}`,
    name,
    subject: subjectOf(args),
    count: countOf(args),
    realmId,
  }));
}

/** As lines that outlive the replica, for lost and found. */
export function lostLines(
  pending: readonly Pick<JournalRecord, 'clientID' | 'id' | 'name' | 'args'>[],
  realmId: string,
): Problem[] {
  const at = new Date().toISOString();
  return pending.map(({ clientID, id, name, args }) => ({
    id: `lost/${clientID}/${id}`,
    realmId,
    name,
    args,
    code: 'unavailable',
    message: 'This device lost its connection before the change was sent',
    at,
    source: 'lost',
  }));
}

/** A change that can no longer be made or sent, as such a line. */
export function lostRecord(
  { clientID, id, name, args }: Pick<JournalRecord, 'clientID' | 'id' | 'name'> & { args: unknown },
  realmId: string,
  { code, detail }: MutateFailure,
): Problem {
  const at = new Date().toISOString();
  return { id: `lost/${clientID}/${id}`, realmId, name, args, code, message: detail, at, source: 'lost' };
}
