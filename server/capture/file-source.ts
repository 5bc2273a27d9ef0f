// Input and output of the process that reads files. Types only.
import type { FileKind } from '#shared/capture/file-kinds.ts';

export interface FileSource {
  kind: FileKind;
  filename: string;
  bytes: Uint8Array;
}

/** Extracted fields of a file; null where it has none. */
export interface FileText {
  title: string | null;
  author: string | null;
  language: string | null;
  /** Markdown. */
  text: string | null;
  pages?: number;
  /** How many of the pages the text is from, where that is not all of them. */
  pagesRead?: number;
  width?: number;
  height?: number;
  /** Length of a sound file. */
  seconds?: number;
  /** A small picture as a data URL. */
  thumbnail?: string;
}

export type FoundText = Partial<FileText>;

export type FileReading = { read: FileText } | { refused: string };
