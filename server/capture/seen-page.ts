// Pages that are sent with their HTML, as a person saw them: behind a log-in, after scripts ran. The text is read as that of a
// fetched page is, in a process with limits, and the snapshot is created from it in the same way.
import { sql } from 'kysely';
import type { Id } from '#shared/ids.ts';
import type { ServerTx } from '../db/server-tx.ts';
import { createFairQueue } from '../fair-queue.ts';
import { storeRead } from './capture-page.ts';
import { runPageTask } from './page-process.ts';
import type { PageSource, PageText } from './page-text.ts';
import { storeSnapshot } from './snapshots/store-snapshot.ts';
import { takeSnapshot, type SnapshotHost, type TakenSnapshot } from './snapshots/take-snapshot.ts';

/** Page as the person saw it, with its address. */
export interface SeenPage {
  url: string;
  text: PageText;
  snapshot: TakenSnapshot | undefined;
}

/** In addition to the pages that are fetched; waiting ones are held in memory. */
const takeTurn = createFairQueue({ atOnce: 2, lineAtOnce: 1, lineWaitingMax: 4 });

/**
 * Reads the HTML of a page, in UTF-8. Undefined for one that has no text, that is only a log-in form, or that crashed its
 * thread: its address is fetched as if no HTML had been sent. @throws unavailable
 */
export async function readSeenPage(
  host: SnapshotHost,
  by: { workspaceId: Id<'workspace'>; userId: Id<'user'> },
  { url, html }: { url: string; html: Uint8Array },
): Promise<SeenPage | undefined> {
  const source: PageSource = { url, mediaType: 'text/html', charset: 'utf-8', body: html };
  return takeTurn(by.userId, async () => {
    const text = await runPageTask('page', source);
    if (text === undefined || text.text === null || text.obstacle === 'login') return undefined;
    return { url, text, snapshot: await takeSnapshot(host, source, by, text.image) };
  });
}

/** Stores the text of a link; what a person wrote stays. A fetch that is under way finds its work done. */
export async function storeSeenPage(tx: ServerTx, memoryId: Id<'memory'>, page: SeenPage): Promise<void> {
  const row = await tx.get('memory', memoryId);
  if (row?.type !== 'link') return;
  await sql`
    insert into "memory_page" ("workspaceId", "memoryId", "queued")
    values (${tx.realmId}, ${memoryId}, ${tx.now.toISOString()})
    on conflict ("workspaceId", "memoryId") do nothing`.execute(tx.trx);
  const { text, url, snapshot } = page;
  const stored = await storeRead(tx, row, { text, url, status: null });
  if (snapshot !== undefined) await storeSnapshot(tx, stored, snapshot);
}
