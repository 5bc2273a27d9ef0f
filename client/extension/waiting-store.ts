// The table of waiting entries, on the device. A page is in it before it is sent, so closing the browser loses nothing.
import { Dexie, type Table } from 'dexie';
import type { Id } from '#shared/ids.ts';
import {
  changeOf,
  withChoices,
  type Choices,
  type SavedAs,
  type Waiting,
  type WaitingSave,
} from './waiting.ts';

class WaitingTable extends Dexie {
  waiting!: Table<Waiting, number>;

  constructor() {
    super('loci-extension');
    this.version(1).stores({ waiting: '++seq, account, memoryId' });
  }
}

const database = new WaitingTable();

export async function waitingOf(account: string): Promise<Waiting[]> {
  return database.waiting.where('account').equals(account).sortBy('seq');
}

export async function addSave(save: WaitingSave): Promise<void> {
  await database.waiting.add(save);
}

/** Adds choices to the waiting save, or queues them when the save was already sent. */
export async function addChoices(
  page: { account: string; memoryId: Id<'memory'>; workspaceId: Id<'workspace'>; title: string },
  choices: Choices,
): Promise<void> {
  await database.transaction('rw', database.waiting, async () => {
    const save = await saveOf(page.memoryId);
    const changed = save && withChoices(save, choices);
    if (changed) await database.waiting.put(changed);
    else await database.waiting.add({ kind: 'change', ...page, ...choices });
  });
}

async function saveOf(memoryId: Id<'memory'>): Promise<WaitingSave | undefined> {
  const rows = await database.waiting.where('memoryId').equals(memoryId).toArray();
  return rows.find((row) => row.kind === 'save');
}

/** From now on the save is sent unchanged. Returns the updated row; undefined when it no longer exists. */
export async function markTried(seq: number): Promise<WaitingSave | undefined> {
  return database.transaction('rw', database.waiting, async () => {
    const row = await database.waiting.get(seq);
    if (row?.kind !== 'save') return undefined;
    const tried = { ...row, isTried: true };
    await database.waiting.put(tried);
    return tried;
  });
}

/** Removes a save that has arrived, and sets the id of the memory on the changes that wait for it. */
export async function endSave(save: WaitingSave, saved: SavedAs): Promise<void> {
  await database.transaction('rw', database.waiting, async () => {
    const behind = await database.waiting.where('memoryId').equals(save.memoryId).toArray();
    for (const row of behind) {
      if (row.kind === 'change') await database.waiting.put(changeOf(row, saved));
      else if (row.seq !== undefined) await database.waiting.delete(row.seq);
    }
  });
}

export async function endWaiting(seq: number): Promise<void> {
  await database.waiting.delete(seq);
}

export async function markRefused(seq: number, problem: string): Promise<void> {
  await database.waiting.update(seq, { problem });
}

/** Sends a refused entry again, with other choices if the person made some. */
export async function retryWaiting(seq: number, choices: Choices = {}): Promise<void> {
  await database.transaction('rw', database.waiting, async () => {
    const row = await database.waiting.get(seq);
    if (row === undefined) return;
    const { problem: _problem, ...rest } = row;
    // After a refusal, nothing was stored on the server.
    await database.waiting.put({ ...rest, ...choices });
  });
}
