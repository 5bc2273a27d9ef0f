// Downloads long texts before they are needed: the newest first, one at a time, and never on a metered connection or in
// data-saving mode.
import { SYNC } from '#shared/constants.ts';
import type { Head } from '#shared/entities.ts';
import { hasRemoteBody, pageHashOf } from '#shared/memories/memory-kinds.ts';
import type { BodyCache } from '#client/replica/body-cache.ts';
import { findBody, type BodyAddress } from '#client/replica/body-download.ts';
import type { Replica } from '#client/replica/replica.ts';
import { ReplicaView } from '#client/replica/view.ts';

/** Rest between two texts, so that what the person does comes first. */
const PAUSE_MS = 50;

/** True when the browser reports data-saving mode. */
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

/** Texts of a memory that do not travel in its row: long notes, and the page behind a link. */
function textsOf(row: Head<'memory'>): BodyAddress[] {
  const { id, workspaceId, bodyHash } = row;
  const pageHash = pageHashOf(row);
  return [
    ...(bodyHash !== null && hasRemoteBody(row) ? [{ id, workspaceId, hash: bodyHash }] : []),
    ...(pageHash === undefined ? [] : [{ id, workspaceId, hash: pageHash, part: 'page' as const }]),
  ];
}

/** Fetches the newest long texts that are missing; ends early when the workspace changes or the network is lost. */
export async function prefetchBodies(replica: Replica, bodies: BodyCache): Promise<void> {
  const { workspaceId } = replica.mirrors;
  const known = new Set(await bodies.hashes());
  const wanted = new ReplicaView(replica.mirrors)
    .list('memory')
    .flatMap((row) => textsOf(row))
    .slice(0, SYNC.bodyPrefetch);
  for (const address of wanted) {
    const isOver =
      workspaceId === undefined || replica.mirrors.workspaceId !== workspaceId || shouldSaveData();
    if (isOver) return;
    if (known.has(address.hash)) continue;
    const { state } = await findBody(bodies, address);
    if (state === 'offline') return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
