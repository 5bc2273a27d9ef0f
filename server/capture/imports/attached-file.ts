// Files of an archive that its notes refer to. Types only.
import type { FileKind } from '#shared/capture/file-kinds.ts';

export interface AttachedFile {
  /** The same in every export of the same item. */
  key: string;
  /** Path in the export. */
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
  /** Placeholder in the text until the memory of the file is known; also distinguishes files of the same name. */
  written: string;
  label: string;
  /** Shown inline, not only linked. */
  isShown: boolean;
}
