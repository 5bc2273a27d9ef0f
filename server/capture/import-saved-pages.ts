// The saved pages in an archive of Loci. An archive can be made by hand, so each page is rebuilt as if it had just been
// fetched, by the same code and in the same thread with limits. It loads nothing: a saved page contains all it shows.
import type { ImportProblem } from '#shared/capture/import-job.ts';
import { EgressError } from '../providers/egress.ts';
import type { ArchiveItem } from './imports/archive-item.ts';
import type { AttachedFile } from './imports/attached-file.ts';
import { snapshotOf } from './snapshots/take-snapshot.ts';
import { hashOf } from './upload-store.ts';

const NO_WAY_OUT = { get: () => Promise.reject(new EgressError('blocked')) };

/** The saved pages of items, harmless; one that is none or took too much is left out. */
export async function cleanSavedPages(
  items: readonly ArchiveItem[],
): Promise<{ pages: AttachedFile[]; problems: ImportProblem[] }> {
  const pages: AttachedFile[] = [];
  const problems: ImportProblem[] = [];
  for (const { path, row, savedPage } of items) {
    if (savedPage === undefined || row.kind !== 'memory') continue;
    const source = { url: row.url ?? '', mediaType: 'text/html', charset: 'utf-8', body: savedPage.bytes };
    const bytes = await snapshotOf(NO_WAY_OUT, source);
    if (bytes === undefined)
      problems.push({ path, reason: 'Came in without its saved page: it shows nothing', imported: true });
    else pages.push({ ...savedPage, bytes, hash: hashOf(bytes) });
  }
  return { pages, problems };
}
