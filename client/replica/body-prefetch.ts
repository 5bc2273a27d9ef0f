// Brings long texts to the device before somebody asks: the newest first, one at a time, and never where the person
// pays for data or wants to save it.
import { SYNC } from '#shared/constants.ts';
import { hasRemoteBody } from '#shared/memories/memory-kinds.ts';
import type { BodyCache } from '#client/replica/body-cache.ts';
import { findBody } from '#client/replica/body-download.ts';
import type { Replica } from '#client/replica/replica.ts';
import { ReplicaView } from '#client/replica/view.ts';

/** Rest between two texts, so that what the person does comes first. */
const PAUSE_MS = 50;

/** True where the browser says that data should be saved. */
function shouldSaveData(): boolean {
  const navigation: object = globalThis.navigator;
  const connection: unknown = 'connection' in navigation ? navigation.connection : undefined;
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'saveData' in connection &&
    connection.saveData === true
  );
}

/** Fetches the newest long texts that are not here; ends early when the workspace changes or the network goes. */
export async function prefetchBodies(replica: Replica, bodies: BodyCache): Promise<void> {
  const { workspaceId } = replica.mirrors;
  const known = new Set(await bodies.hashes());
  const wanted = new ReplicaView(replica.mirrors)
    .list('memory')
    .filter((row) => hasRemoteBody(row))
    .slice(0, SYNC.bodyPrefetch);
  for (const { id, bodyHash } of wanted) {
    const isOver =
      workspaceId === undefined || replica.mirrors.workspaceId !== workspaceId || shouldSaveData();
    if (isOver) return;
    if (bodyHash === null || known.has(bodyHash)) continue;
    const { state } = await findBody(bodies, { id, workspaceId, hash: bodyHash });
    if (state === 'offline') return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
