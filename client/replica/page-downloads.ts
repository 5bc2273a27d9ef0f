// Brings the newest saved pages of the open workspace to this device, so that they open without a network.
import { snapshotOf } from '#shared/memories/memory-kinds.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { fileCap, keepFile } from '#client/replica/file-store.ts';
import type { Step } from '#client/replica/follow-memories.ts';
import type { DeviceTables } from '#client/replica/lazy-device.ts';
import { countBytes } from '#client/replica/least-used.ts';
import { downloadSnapshot, snapshotKey } from '#client/replica/download-file.ts';
import type { Replica } from '#client/replica/replica.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { isDataScarce } from '#client/save-data.ts';

/** Of the room for files; the rest is for what was opened. */
const SHARE = 0.5;
/** Between two pages, so that they disturb neither the person's own requests nor the server's other people. */
const PAUSE_MS = 250;

/** Brings the pages that are missing, one by one, as far as there is room. */
export function bringSavedPages(
  replica: Replica,
  device: DeviceTables,
  capOf: () => Promise<number> = fileCap,
): Step {
  /** Keys of pages that could not be had; the row with another one may be on its way. */
  const missing = new Set<string>();
  return async (turn) => {
    const { mirrors } = replica;
    if (mirrors.workspaceId === undefined || isDataScarce()) return;
    if (replica.firstSync().state !== 'ready') return;
    const { file } = await device.tables();
    const room = (await capOf()) * SHARE;
    const here = new Set(await file.toCollection().primaryKeys());
    let total = await countBytes(file);
    for (const row of new ReplicaView(mirrors).list('memory')) {
      const facts = snapshotOf(row);
      if (facts === undefined) continue;
      const id = snapshotKey(facts);
      if (here.has(id) || missing.has(id)) continue;
      total += facts.bytes;
      if (total > room) return;
      here.add(id);
      try {
        const blob = await downloadSnapshot(row, facts);
        if (turn.hasEnded) return;
        // Pages that were not opened yet leave first, the oldest before the others.
        await keepFile(device, { id, blob, lastUsed: Date.parse(facts.taken) }, capOf);
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.error.code === 'rate_limited') throw error;
        missing.add(id);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (turn.isStale || turn.hasEnded) return;
    }
  };
}
