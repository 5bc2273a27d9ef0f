// The text of a PDF: paragraphs from the positions of its lines, page by page.
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { CAPTURE, FILES } from '#shared/capture/limits.ts';
import type { FileSource, FoundText } from './file-source.ts';
import { UnreadableFile } from './unreadable-file.ts';

interface Piece {
  str: string;
  hasEOL: boolean;
  height: number;
  /** The last two numbers are the position. */
  transform: number[];
}

/** @throws UnreadableFile for an encrypted or damaged file */
export async function readPdf({ bytes }: FileSource): Promise<FoundText> {
  const loading = getDocument({
    data: new Uint8Array(bytes),
    // Nothing is drawn, so neither fonts nor code for them is needed.
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  try {
    const document = await loading.promise;
    const { info, metadata } = await document.getMetadata();
    const pages: string[] = [];
    let characters = 0;
    const last = Math.min(document.numPages, FILES.pdfPagesMax);
    let read = 0;
    while (read < last && characters < CAPTURE.pageTextMax) {
      read += 1;
      const page = await document.getPage(read);
      const { items } = await page.getTextContent();
      const text = paragraphs(items.filter((item): item is typeof item & Piece => 'str' in item));
      page.cleanup();
      characters += text.length;
      if (text !== '') pages.push(text);
    }
    const { Title: title = metadata?.get('dc:title'), Author: author } = Object(info);
    return {
      title: typeof title === 'string' ? title : null,
      author: typeof author === 'string' ? author : null,
      text: pages.join('\n\n'),
      pages: document.numPages,
      ...(pages.length > 0 && read < document.numPages && { pagesRead: read }),
    };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'PasswordException') throw new UnreadableFile('This PDF is protected with a password.');
    if (/^(?:InvalidPDF|Format|Unknown)/.test(name)) throw new UnreadableFile('This PDF is damaged.');
    throw error;
  } finally {
    await loading.destroy();
  }
}

/** Lines that follow closely are one paragraph; a hyphen at the end of a line joins a word. */
function paragraphs(pieces: readonly Piece[]): string {
  let text = '';
  let line = '';
  let lastY: number | undefined;
  let lastHeight = 0;
  const endLine = (y: number | undefined, height: number) => {
    const words = line.replaceAll(/\s+/g, ' ').trim();
    line = '';
    if (words === '') return;
    const gap = lastY === undefined || y === undefined ? 0 : Math.abs(lastY - y);
    // Headings are written larger than what follows.
    const isOtherSize = Math.abs(height - lastHeight) > 0.15 * Math.max(height, lastHeight);
    const isNew = text !== '' && (isOtherSize || gap > 1.8 * Math.max(lastHeight, 1));
    if (isNew) text += `\n\n${words}`;
    else if (/[\p{L}]-$/u.test(text) && /^\p{Ll}/u.test(words)) text = text.slice(0, -1) + words;
    else text += text === '' ? words : ` ${words}`;
  };
  let y: number | undefined;
  let lineHeight = 0;
  for (const { str, hasEOL, height, transform } of pieces) {
    y = transform[5];
    line += str;
    lineHeight = Math.max(lineHeight, height);
    if (!hasEOL) continue;
    endLine(y, lineHeight);
    lastY = y;
    lastHeight = lineHeight || lastHeight;
    lineHeight = 0;
  }
  endLine(y, lineHeight || lastHeight);
  return text;
}
