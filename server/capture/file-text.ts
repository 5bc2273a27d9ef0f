// The text of uploaded files as Markdown, by kind. It runs in a process with limits; scripts, macros and links of a file
// are never followed.
import type { FileKind } from '#shared/capture/file-kinds.ts';
import { readFileText as decodeText } from '#shared/capture/file-text.ts';
import { CAPTURE } from '#shared/capture/limits.ts';
import { LIMITS } from '#shared/constants.ts';
import { storableText } from '../db/storable-text.ts';
import type { FileSource, FileText, FoundText } from './file-source.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** Only the library of the kind is loaded, because every file has a new process. */
const READERS: Readonly<Record<FileKind, (source: FileSource) => Promise<FoundText>>> = {
  pdf: async (source) => (await import('./pdf-text.ts')).readPdf(source),
  docx: async (source) => (await import('./office-text.ts')).readDocx(source),
  pptx: async (source) => (await import('./office-text.ts')).readPptx(source),
  xlsx: async (source) => (await import('./spreadsheet-text.ts')).readSpreadsheet(source),
  xls: async (source) => (await import('./spreadsheet-text.ts')).readSpreadsheet(source),
  ods: async (source) => (await import('./spreadsheet-text.ts')).readSpreadsheet(source),
  odt: async (source) => (await import('./opendocument-text.ts')).readOdt(source),
  epub: async (source) => (await import('./epub-text.ts')).readEpub(source),
  html: readHtml,
  markdown: async ({ bytes }) => ({ text: plain(bytes) }),
  text: async ({ bytes }) => ({ text: fenced(plain(bytes)) }),
  csv: async ({ bytes }) => ({ text: fenced(plain(bytes)) }),
  png: readPicture,
  jpeg: readPicture,
  gif: readPicture,
  webp: readPicture,
  avif: readPicture,
  mp3: readSound,
  m4a: readSound,
  ogg: readSound,
  wav: readSound,
  flac: readSound,
};

/** Reads a file. @throws UnreadableFile with the reason for the person */
export async function extractText(source: FileSource): Promise<FileText> {
  const found = await READERS[source.kind](source);
  return {
    ...found,
    title: line(found.title),
    author: line(found.author),
    language: /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.exec(found.language ?? '')?.[0] ?? null,
    text: clipped(found.text),
  };
}

async function readPicture(source: FileSource): Promise<FoundText> {
  return (await import('./picture.ts')).readPicture(source);
}

async function readSound(source: FileSource): Promise<FoundText> {
  return (await import('./sound-tags.ts')).readSound(source);
}

async function readHtml({ bytes }: FileSource): Promise<FoundText> {
  const { readPage } = await import('./page-text.ts');
  const page = await readPage({
    // Links of the file have no base; an address that cannot exist is used instead.
    url: 'https://file.invalid/',
    mediaType: 'text/html',
    charset: undefined,
    body: bytes,
  });
  return { title: page.title, author: page.author, language: page.language, text: page.text };
}

function plain(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw new UnreadableFile('This file is not readable as text.');
  return decoded.text;
}

/** As it is, in a block whose fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return text.trim() === '' ? '' : `${fence}\n${text.replace(/\s+$/, '')}\n${fence}`;
}

function line(value: string | null | undefined): string | null {
  const text = storableText(value ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text === '' ? null : text.slice(0, LIMITS.title).toWellFormed();
}

function clipped(value: string | null | undefined): string | null {
  const text = storableText(value ?? '').trim();
  return text === '' ? null : text.slice(0, CAPTURE.pageTextMax).toWellFormed();
}
