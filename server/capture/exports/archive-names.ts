// Names of files and folders that every file system, Obsidian and its links can bear, each once in its folder.
import { WORKSPACE_EXPORT } from '#shared/capture/export-job.ts';

/** Forbidden by a file system, or of a meaning in the links of Obsidian. */
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}\\/:*?"<>|#^[\]%]+/gu;
/** Names of devices under Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|\.)/i;

/** Words as a name without extension; never empty. */
function plainName(words: string): string {
  const plain = words.normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/gu, ' ');
  let name = '';
  for (const sign of plain.trim()) {
    // Most file systems count 255 bytes, and a number may follow.
    if (name.length >= WORKSPACE_EXPORT.nameMax || Buffer.byteLength(name + sign) > 200) break;
    name += sign;
  }
  const trimmed = name.replace(/^[. ]+|[. ]+$/g, '');
  if (trimmed === '') return 'Untitled';
  return DEVICE.test(trimmed) ? `_${trimmed}` : trimmed;
}

export interface ArchiveNames {
  /** A path in a folder, with a number after the name where the name is in use. */
  claim(folder: string, words: string, extension: string): string;
  /** The same for a file that has a name. */
  claimFile(folder: string, filename: string): string;
}

export function createNames(reserved: readonly string[] = []): ArchiveNames {
  const taken = new Set(reserved.map((path) => path.toLowerCase()));
  const numbers = new Map<string, number>();
  const names: ArchiveNames = {
    claim(folder, words, extension) {
      const name = plainName(words);
      const start = `${folder}${name}`.toLowerCase();
      for (let number = numbers.get(start) ?? 1; ; number += 1) {
        const path = `${folder}${name}${number === 1 ? '' : ` ${number}`}${extension}`;
        // Many file systems are case-insensitive.
        if (taken.has(path.toLowerCase())) continue;
        taken.add(path.toLowerCase());
        // Thousands of equal titles would otherwise be counted from the start each time.
        numbers.set(start, number);
        return path;
      }
    },
    claimFile(folder, filename) {
      const extension = /\.[A-Za-z\d]{1,10}$/.exec(filename)?.[0] ?? '';
      return names.claim(folder, filename.slice(0, filename.length - extension.length), extension);
    },
  };
  return names;
}
