// Folders that name their parent by its id, as exports in JSON have them.
import type { z } from 'zod';
import { AppError } from '#shared/errors.ts';

interface Folder<I> {
  id: I;
  name: string;
  parentId?: I | null | undefined;
}

/** Folders below this depth count as the one at it. */
const DEPTH_MAX = 50;

/** A folder inside another one. */
export function folderIn(parent: readonly string[], name: string): readonly string[] {
  return parent.length >= DEPTH_MAX ? parent : [...parent, name.trim() || 'Untitled'];
}

/** The names from the outermost folder to each one; folders that contain themselves end there. */
export function pathsOf<I>(folders: readonly Folder<I>[]): ReadonlyMap<I, readonly string[]> {
  const known = new Map(folders.map((folder) => [folder.id, folder]));
  const paths = new Map<I, readonly string[]>();
  for (const { id } of folders) {
    const above: Folder<I>[] = [];
    const seen = new Set<I>();
    let at = known.get(id);
    while (at !== undefined && !paths.has(at.id) && !seen.has(at.id)) {
      seen.add(at.id);
      above.push(at);
      at = at.parentId === null || at.parentId === undefined ? undefined : known.get(at.parentId);
    }
    let path = (at && paths.get(at.id)) ?? [];
    for (const folder of above.toReversed()) {
      path = folderIn(path, folder.name);
      paths.set(folder.id, path);
    }
  }
  return paths;
}

/** @throws invalid when the whole is not what the product exports */
export function requireShape<S extends z.ZodType>(schema: S, value: unknown, path: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new AppError('invalid', `file: ${path} is not laid out as expected${where && ` at “${where}”`}`);
}
