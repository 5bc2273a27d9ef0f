// Reads the files of an uploaded zip one by one within limits: count, unpacked size, ratio, no links,
// no absolute or climbing paths. Nothing is written to disk.
import {
  fromRandomAccessReader,
  getFileNameLowLevel,
  validateFileName,
  type Entry,
  type ZipFile,
} from 'yauzl';
import { IMPORT } from '#shared/capture/limits.ts';
import { AppError } from '#shared/errors.ts';
import { ArchiveReader, type ArchiveBytes } from './archive-bytes.ts';
import { UnreadableFile } from './unreadable-file.ts';

export interface ArchiveFile {
  path: string;
  modified: string;
  bytes: Buffer;
}

export interface ArchiveRefusal {
  path: string;
  reason: string;
}

const UNIX_LINK = 0o120000;
const UNIX_TYPE = 0o170000;
/** Resource forks and metadata that the macOS Finder adds to a zip. */
const ATTRIBUTES = /(?:^|\/)(?:__MACOSX\/|\._)/;
/** Longer names are of no file system. */
const PATH_MAX = 1_024;
/** A text file larger than this is not a note. */
const FILE_MAX_BYTES = 10 * 1024 * 1024;

/** One entry of the archive, not unpacked yet. */
export interface ArchiveEntry {
  path: string;
  modified: string;
  /** Unpacked bytes, as the archive says; unpacking fails when there are more. */
  size: number;
  /** CRC-32 of its bytes, as the archive says. */
  checksum: number;
  /** Why it may not be unpacked. */
  refusal: string | null;
  /** @throws UnreadableFile when it is damaged */
  unpack(): Promise<Buffer>;
}

/**
 * The entries of an archive in its order, without folders.
 * @throws invalid when the upload is no zip; too_large past a limit
 */
export async function openArchive(archive: ArchiveBytes): Promise<ArchiveEntry[]> {
  const zip = await open(archive);
  if (zip.entryCount > IMPORT.maxEntries) {
    throw new AppError('too_large', `The archive has more than ${IMPORT.maxEntries} entries`);
  }
  const entries: ArchiveEntry[] = [];
  for await (const entry of entriesOf(zip)) {
    const name = getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      entry.extraFields,
      false,
    );
    if (name.endsWith('/') || ATTRIBUTES.test(name)) continue;
    const path = storablePath(name);
    entries.push({
      path,
      modified: modifiedOf(entry),
      size: entry.uncompressedSize,
      checksum: entry.crc32,
      refusal: path === name ? refusalOf(entry, name) : 'Its name cannot be stored',
      unpack: () => unpackWhole(zip, entry),
    });
  }
  return entries;
}

async function unpackWhole(zip: ZipFile, entry: Entry): Promise<Buffer> {
  try {
    return await unpack(zip, entry);
  } catch (error) {
    const fault = error instanceof Error ? error.message : 'unknown';
    throw new UnreadableFile(`Damaged in the archive (${fault})`);
  }
}

/**
 * Checks the total unpacked size.
 * @param most of files that are read one by one it may be more than of those that are in memory together
 * @throws too_large
 */
export function requireUnpackable(
  entries: readonly Pick<ArchiveEntry, 'size'>[],
  most: number = IMPORT.maxUnpackedBytes,
): void {
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0);
  if (unpacked > most) {
    throw new AppError('too_large', 'The archive unpacks to more than the allowed size');
  }
}

/** Why a text file may not be read. */
export function noteRefusal({ refusal, size }: Pick<ArchiveEntry, 'refusal' | 'size'>): string | null {
  return refusal ?? (size > FILE_MAX_BYTES ? 'Larger than 10 MB' : null);
}

/**
 * Yields files and refusals in the archive's order. Only files that `wanted` names are unpacked.
 * @throws invalid when the upload is no zip; too_large past a limit
 */
export async function* readArchive(
  archive: ArchiveBytes,
  wanted: (path: string) => boolean,
): AsyncGenerator<ArchiveFile | ArchiveRefusal> {
  const entries = await openArchive(archive);
  requireUnpackable(entries.filter((entry) => noteRefusal(entry) === null && wanted(entry.path)));
  for (const entry of entries) {
    const { path, modified } = entry;
    const reason = noteRefusal(entry) ?? (wanted(path) ? null : 'Not a Markdown or text file');
    if (reason !== null) {
      yield { path, reason };
      continue;
    }
    try {
      yield { path, modified, bytes: await entry.unpack() };
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      yield { path, reason: error.message };
    }
  }
}

function open(archive: ArchiveBytes): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(
      new ArchiveReader(archive),
      archive.size,
      // Names are decoded in openArchive: here a bad one would end the reading of all that follow.
      { autoClose: false, lazyEntries: true, validateEntrySizes: true, decodeStrings: false },
      (error, zip) => {
        if (error) reject(new AppError('invalid', 'file: This is not a zip archive that can be read'));
        else resolve(zip);
      },
    );
  });
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await nextEntry(zip);
    if (entry === null) return;
    yield entry;
  }
}

function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      zip.removeListener('entry', onEntry);
      zip.removeListener('end', onEnd);
      zip.removeListener('error', onError);
      done();
    };
    const onEntry = (entry: Entry) => settle(() => resolve(entry));
    const onEnd = () => settle(() => resolve(null));
    const onError = (error: Error) =>
      settle(() => reject(new AppError('invalid', `file: The archive is damaged (${error.message})`)));
    zip.on('entry', onEntry);
    zip.on('end', onEnd);
    zip.on('error', onError);
    zip.readEntry();
  });
}

/** The name as it can be stored and shown. */
function storablePath(name: string): string {
  return name.replaceAll('\u0000', '\uFFFD').toWellFormed().slice(0, PATH_MAX).toWellFormed();
}

function refusalOf(entry: Entry, name: string): string | null {
  if (validateFileName(name) !== null) return 'Its path leads out of the archive';
  const mode = entry.externalFileAttributes >>> 16;
  if ((mode & UNIX_TYPE) === UNIX_LINK) return 'Links are not imported';
  if (entry.isEncrypted()) return 'Encrypted files cannot be read';
  const ratio = entry.uncompressedSize / Math.max(entry.compressedSize, 1);
  if (entry.uncompressedSize > 1_000_000 && ratio > IMPORT.maxRatio)
    return 'Compressed more than a text can be';
  return null;
}

function modifiedOf(entry: Entry): string {
  const time = entry.getLastModDate();
  const year = time.getUTCFullYear();
  return year >= 1970 && year <= 2200 ? time.toISOString() : new Date(0).toISOString();
}

function unpack(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) {
        reject(error);
        return;
      }
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => resolve(Buffer.concat(chunks)));
      stream.on('error', reject);
    });
  });
}
