import type { Id } from '#shared/ids.ts';
import type { Context } from '../../context.ts';
import { fileKey } from '../upload-store.ts';
import type { ZipWriter } from './zip-writer.ts';

/** Adds the bytes of an upload to a zip. Returns the path, or null when the bytes no longer exist. */
export async function addFile(
  { files, zip }: Pick<Context, 'files'> & { zip: ZipWriter },
  upload: { workspaceId: Id<'workspace'>; id: Id<'upload'> },
  path: string,
  modified: Date,
): Promise<string | null> {
  const stream = await files.read(fileKey(upload));
  if (stream === undefined) return null;
  await zip.add(path, stream, modified);
  return path;
}
