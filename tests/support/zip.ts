// Zip archives for tests, made in memory.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ZipFile } from 'yazl';

/** One entry; `mode` sets Unix file attributes. */
export interface ZipEntry {
  path: string;
  bytes: Buffer | string;
  mode?: number;
}

/** Date of every entry. */
export const ZIP_TIME = '2020-01-02T03:04:06.000Z';

/** The archive as bytes. */
export async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const entry of entries) {
    const options = { mtime: new Date(ZIP_TIME), ...(entry.mode === undefined ? {} : { mode: entry.mode }) };
    zip.addBuffer(Buffer.from(entry.bytes), entry.path, options);
  }
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Every file below a folder, paths relative to it. */
export function filesBelow(folder: string): ZipEntry[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return { path: path.relative(folder, file), bytes: readFileSync(file) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
