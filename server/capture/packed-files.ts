// The parts of a zipped document, within limits, and its XML.
import { DOMParser } from 'linkedom';
import { AppError } from '#shared/errors.ts';
import { inMemory } from './archive-bytes.ts';
import { readArchive } from './archive.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** Unpacks the parts whose path is wanted. @throws UnreadableFile for a damaged or exploding archive */
export async function unpackParts(
  bytes: Uint8Array,
  wanted: (path: string) => boolean,
): Promise<ReadonlyMap<string, Buffer>> {
  const parts = new Map<string, Buffer>();
  try {
    for await (const file of readArchive(inMemory(Buffer.from(bytes)), wanted)) {
      if ('bytes' in file) parts.set(file.path, file.bytes);
      else if (wanted(file.path)) throw new UnreadableFile('This file is damaged, or unpacks to too much.');
    }
  } catch (error) {
    if (error instanceof AppError) throw new UnreadableFile('This file is damaged, or unpacks to too much.');
    throw error;
  }
  return parts;
}

/** A part that every file of its kind has. @throws UnreadableFile when it is missing */
export function requirePart(parts: ReadonlyMap<string, Buffer>, path: string): Buffer {
  const part = parts.get(path);
  if (part === undefined) throw new UnreadableFile('The content of this file does not match its name.');
  return part;
}

/** The document of an XML part; entities beyond the five of XML are never resolved. */
export function parseXml(part: Buffer) {
  return new DOMParser().parseFromString(part.toString('utf8'), 'text/xml');
}

/** The text of an element without its layout. */
export function wordsOf(element: { textContent: string | null } | undefined): string {
  return (element?.textContent ?? '').replaceAll(/[ \t\r\n]+/g, ' ').trim();
}
