// Input and output of the process that draws previews.
import { fileKind, type FileKind } from '#shared/capture/file-kinds.ts';
import type { FileText } from './file-source.ts';

/** Longest side of a preview. */
export const PREVIEW_PIXELS = 640;

/** A preview, with what a list needs to know of a file whose reader does not see it as a picture. */
export interface DrawnPreview {
  /** WebP. */
  bytes: Uint8Array;
  facts: Pick<FileText, 'width' | 'height' | 'thumbnail'>;
}

/** The preview; null for a file without one. */
export interface Drawing {
  drawn: DrawnPreview | null;
}

export function hasPreview(kind: FileKind): boolean {
  const { view } = fileKind(kind);
  return view === 'image' || view === 'pdf';
}
