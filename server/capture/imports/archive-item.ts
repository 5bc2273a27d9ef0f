// Items in an archive of Loci, one for each row of its data. Types only.
import type { Id } from '#shared/ids.ts';
import type { ArchiveRow } from '../workspace-archive.ts';
import type { AttachedFile } from './attached-file.ts';

export interface ArchiveItem {
  path: string;
  exportedBy: Id<'user'>;
  row: ArchiveRow;
  /** The uploaded file of a memory. */
  attached?: AttachedFile;
  /** The saved page of a link, as the archive has it. */
  savedPage?: AttachedFile & { picture?: AttachedFile };
  remark?: string;
}
