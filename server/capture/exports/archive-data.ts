// The files of data of an archive: rows are gathered until a file is full, then it is added to the zip.
import { WORKSPACE_EXPORT } from '#shared/capture/export-job.ts';
import { DATA_FOLDER, type ArchiveManifest, type ArchiveRow } from '../workspace-archive.ts';
import type { ZipWriter } from './zip-writer.ts';

export interface DataWriter {
  add(row: ArchiveRow): Promise<void>;
  /** Adds the remaining rows, and returns the list for the manifest. */
  finish(): Promise<ArchiveManifest['data']>;
}

export function createDataWriter(zip: ZipWriter, now: Date): DataWriter {
  const files: ArchiveManifest['data'] = [];
  let lines: string[] = [];
  let bytes = 0;
  const flush = async () => {
    if (lines.length === 0) return;
    const path = `${DATA_FOLDER}/${String(files.length + 1).padStart(5, '0')}.jsonl`;
    files.push({ path, rows: lines.length });
    await zip.add(path, lines.join(''), now);
    lines = [];
    bytes = 0;
  };
  return {
    async add(row) {
      const line = `${JSON.stringify(row)}\n`;
      const length = Buffer.byteLength(line);
      if (bytes + length > WORKSPACE_EXPORT.dataFileBytes) await flush();
      lines.push(line);
      bytes += length;
    },
    async finish() {
      await flush();
      return files;
    },
  };
}
