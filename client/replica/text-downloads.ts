// Brings the long texts of the open workspace to this device as soon as its rows are here: the newest first, many to a
// request, and as many as there is room for. Not while the browser is set to save data.
import { SYNC } from '#shared/sync/limits.ts';
import type { Head } from '#shared/entities.ts';
import { addressOf } from '#shared/hash.ts';
import { hasRemoteBody, pageHashOf } from '#shared/memories/memory-kinds.ts';
import { sessionToken } from '#client/api/session.ts';
import type { BodyCache } from '#client/replica/body-cache.ts';
import type { Step } from '#client/replica/follow-memories.ts';
import type { Replica } from '#client/replica/replica.ts';
import { NO_TEXTS } from '#client/replica/status.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { shouldSaveData } from '#client/save-data.ts';

/** A text that is not in its row: long notes, or the page behind a link. */
export interface BodyAddress {
  id: string;
  workspaceId: string;
  hash: string;
  part: 'body' | 'page';
}

/** Texts of a memory that are not in its row: long notes, and the page behind a link. */
function textsOf(row: Head<'memory'>): BodyAddress[] {
  const { id, workspaceId, bodyHash } = row;
  const pageHash = pageHashOf(row);
  return [
    ...(bodyHash !== null && hasRemoteBody(row)
      ? [{ id, workspaceId, hash: bodyHash, part: 'body' as const }]
      : []),
    ...(pageHash === undefined ? [] : [{ id, workspaceId, hash: pageHash, part: 'page' as const }]),
  ];
}

/** As many of the texts as the server puts into one answer, the first ones; null for those that it has none of. */
async function download(workspaceId: string, wanted: readonly BodyAddress[]): Promise<(string | null)[]> {
  const texts = wanted.slice(0, SYNC.textsPerRequest).map(({ id, part }) => ({ id, part }));
  const response = await fetch(`/v1/memories/${workspaceId}/texts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sessionToken() ?? ''}`, 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify({ texts }),
  });
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  const { result }: { result: { text: string | null }[] } = await response.json();
  if (result.length === 0) throw new Error('The server sent no text');
  return result.map(({ text }) => text);
}

/** Brings the texts that are missing; reports the progress to the replica for its status. */
export function bringTexts(replica: Replica, bodies: BodyCache): Step {
  /** Hashes that the server does not have any more; the row with the new one is on its way. */
  const gone = new Set<string>();
  replica.setTexts(undefined);
  return async (turn) => {
    const { mirrors } = replica;
    const { workspaceId } = mirrors;
    if (workspaceId === undefined || shouldSaveData()) return replica.setTexts(NO_TEXTS);
    if (replica.firstSync().state !== 'ready') return replica.setTexts(undefined);
    const here = new Set(await bodies.hashes());
    const rows = new ReplicaView(mirrors).list('memory');
    const all = new Map(rows.flatMap(textsOf).map((text) => [text.hash, text]));
    const missing = [...all.values()].filter(({ hash }) => !here.has(hash) && !gone.has(hash));
    const report = (isFull = false) =>
      replica.setTexts({ here: all.size - missing.length, total: all.size, isFull });
    report();
    while (missing.length > 0) {
      const texts = await download(workspaceId, missing);
      const asked = missing.slice(0, texts.length);
      const found = [];
      for (const [index, { hash }] of asked.entries()) {
        const text = texts[index] ?? '';
        const address = addressOf(text);
        if (address.hash === hash) found.push({ ...address, text });
        else gone.add(hash);
        // Hashing takes milliseconds, and input takes priority.
        await new Promise((resolve) => setTimeout(resolve));
      }
      if (turn.hasEnded) return;
      if (!(await bodies.keepAll(found))) return report(true);
      missing.splice(0, asked.length);
      report();
      if (turn.isStale || turn.hasEnded) return;
    }
  };
}
