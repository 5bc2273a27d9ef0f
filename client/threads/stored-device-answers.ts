/**
 * Answers that this device made, stored with the questions that wait on it. They are never synced: the server writes the
 * messages of the assistant. Where nothing may be stored, they exist as long as the page shows them.
 */
import type { Id } from '#shared/ids.ts';
import type { DeviceDatabase } from '#client/replica/device-database.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import type { DeviceAnswer } from '#client/threads/device-answer.ts';

async function withTable<T>(
  act: (table: DeviceDatabase['answer']) => PromiseLike<T>,
): Promise<T | undefined> {
  const device = openedReplica()?.device;
  if (!device) return undefined;
  try {
    return await act((await device.tables()).answer);
  } catch (failure) {
    // No room, or no permission: the answer is shown and made again after a reload.
    console.info('threads: the answers of this device could not be used', failure);
    return undefined;
  }
}

/** Those of a workspace, by the message that they answer. */
export async function findDeviceAnswers(
  workspaceId: Id<'workspace'>,
): Promise<ReadonlyMap<Id<'message'>, DeviceAnswer>> {
  const rows = await withTable((table) => table.where('workspaceId').equals(workspaceId).toArray());
  return new Map(
    (rows ?? []).map(({ messageId, content, citations }) => [messageId, { content, citations }]),
  );
}

export async function keepDeviceAnswer(
  { id: messageId, workspaceId }: { id: Id<'message'>; workspaceId: Id<'workspace'> },
  { content, citations }: DeviceAnswer,
): Promise<void> {
  await withTable((table) => table.put({ messageId, workspaceId, content, citations: [...citations] }));
}

export async function forgetDeviceAnswers(messageIds: readonly Id<'message'>[]): Promise<void> {
  await withTable((table) => table.bulkDelete([...messageIds]));
}
