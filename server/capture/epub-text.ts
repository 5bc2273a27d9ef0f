// The text of an EPUB book, chapter by chapter in the order of its spine.
import path from 'node:path';
import { CAPTURE } from '#shared/capture/limits.ts';
import type { FileSource, FoundText } from './file-source.ts';
import { parseXml, requirePart, unpackParts } from './packed-files.ts';
import { readPage } from './page-text.ts';
import { UnreadableFile } from './unreadable-file.ts';

const CONTAINER = 'META-INF/container.xml';

/** @throws UnreadableFile for a book with digital rights management, and for a damaged one */
export async function readEpub({ bytes }: FileSource): Promise<FoundText> {
  const parts = await unpackParts(bytes, (name) => /\.(?:xml|opf|x?html?)$/i.test(name));
  if (parts.has('META-INF/rights.xml')) throw new UnreadableFile('This book is protected against copying.');
  const [root] = parseXml(requirePart(parts, CONTAINER)).getElementsByTagName('rootfile');
  const packagePath = root?.getAttribute('full-path') ?? '';
  const book = parseXml(requirePart(parts, packagePath));
  const items = new Map(
    [...book.getElementsByTagName('item')].map((item) => [
      item.getAttribute('id'),
      item.getAttribute('href'),
    ]),
  );
  const chapters: string[] = [];
  let characters = 0;
  for (const entry of book.getElementsByTagName('itemref')) {
    if (characters > CAPTURE.pageTextMax) break;
    const href = decode(items.get(entry.getAttribute('idref')) ?? '');
    const body = parts.get(path.posix.join(path.posix.dirname(packagePath), href));
    if (body === undefined) continue;
    const chapter = await readPage({
      url: 'https://file.invalid/',
      mediaType: 'application/xhtml+xml',
      charset: undefined,
      body,
    });
    if (chapter.text === null) continue;
    characters += chapter.text.length;
    chapters.push(chapter.text);
  }
  const words = (tag: string) => book.getElementsByTagName(tag)[0]?.textContent ?? null;
  return {
    title: words('dc:title'),
    author: words('dc:creator'),
    language: words('dc:language'),
    text: chapters.join('\n\n'),
    pages: chapters.length,
  };
}

function decode(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    // Not percent-encoded: use the name unchanged.
    return href;
  }
}
