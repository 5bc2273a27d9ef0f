// What a format gives for a file of an archive that its notes show. Types only.
import type { FileKind } from '#shared/capture/file-kinds.ts';

export interface AttachedFile {
  /** The same in every export of the same thing. */
  key: string;
  /** Where it is in the export, as the person knows it. */
  path: string;
  filename: string;
  kind: FileKind;
  /** ISO 8601. */
  created: string;
  /** SHA-256 of the bytes. */
  hash: string;
  bytes: Uint8Array;
}

export interface FileLink {
  key: string;
  /** What stands in the text until the memory of the file is known; it also tells one content of the file from another. */
  written: string;
  label: string;
  /** Shown in its place, not only linked to. */
  isShown: boolean;
}
