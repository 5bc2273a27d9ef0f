// What goes into the process that reads files, and what comes out of it. Types only.
import type { FileKind } from '#shared/capture/file-kinds.ts';

export interface FileSource {
  kind: FileKind;
  filename: string;
  bytes: Uint8Array;
}

/** What is stored of a file; null where it says nothing. */
export interface FileText {
  title: string | null;
  author: string | null;
  language: string | null;
  /** Markdown. */
  text: string | null;
  pages?: number;
  width?: number;
  height?: number;
  /** A small picture as a data URL. */
  thumbnail?: string;
}

export type FoundText = Partial<FileText>;

export type FileReading = { read: FileText } | { refused: string };
