/**
 * Files that were chosen for the capture sheet and are not saved yet. They stay when the sheet is closed, as its text does,
 * until they are saved or removed.
 */
import { newId } from '#shared/ids.ts';
import type { Captured } from '#client/capture/capture-text.ts';
import type { NewFile } from '#client/capture/file-queue.ts';
import { sortFiles, type RefusedFile, type SortedFiles } from '#client/capture/take-files.ts';
import { createStore } from '#client/shell/store.ts';

export interface PickedFile extends NewFile {
  /** A text that becomes a note; every other file is uploaded. */
  note?: Extract<Captured, { kind: 'note' }>;
  /** Why the extracted text should be checked. */
  remark?: string;
}

interface Picked {
  files: readonly PickedFile[];
  refused: readonly RefusedFile[];
}

const NONE: Picked = { files: [], refused: [] };

export const pickedFiles = createStore<Picked>(NONE);

/** Adds files that were sorted already. */
export function addPicked({ texts, uploads, refused }: Omit<SortedFiles, 'zip'>): void {
  const before = pickedFiles.get();
  const notes = texts.flatMap(({ file, captured, remark }): PickedFile[] => {
    if (captured.kind !== 'note') return [];
    const title = captured.title ?? '';
    return [{ id: newId('memory'), file, title, note: captured, ...(remark !== undefined && { remark }) }];
  });
  const others = uploads.map(({ file, title }): PickedFile => ({ id: newId('memory'), file, title }));
  pickedFiles.set({ files: [...before.files, ...notes, ...others], refused: [...refused] });
}

/** Adds chosen files, and reports those that cannot be imported. */
export async function pickFiles(files: readonly File[]): Promise<void> {
  const { zip, ...sorted } = await sortFiles(files);
  const refused = [...sorted.refused];
  if (zip)
    refused.push({
      name: zip.name,
      reason: 'exports and zips of notes are imported through “Import notes and bookmarks”',
    });
  addPicked({ ...sorted, refused });
}

export function retitlePicked(id: string, title: string): void {
  const { files, refused } = pickedFiles.get();
  pickedFiles.set({ files: files.map((each) => (each.id === id ? { ...each, title } : each)), refused });
}

export function removePicked(ids: readonly string[]): void {
  const { files, refused } = pickedFiles.get();
  pickedFiles.set({ files: files.filter(({ id }) => !ids.includes(id)), refused });
}

/** The refusals were read. */
export function clearRefused(): void {
  pickedFiles.set({ ...pickedFiles.get(), refused: [] });
}
