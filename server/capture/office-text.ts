// The text of Word, PowerPoint, Excel and OpenDocument files.
import mammoth from 'mammoth';
import { CAPTURE } from '#shared/constants.ts';
import type { FileSource, FoundText } from './file-source.ts';
import { parseXml, requirePart, unpackParts } from './packed-files.ts';
import { readPage } from './page-text.ts';
import { UnreadableFile } from './unreadable-file.ts';

type Xml = ReturnType<typeof parseXml>;
type XmlElement = ReturnType<Xml['getElementsByTagName']>[number];

const CORE = 'docProps/core.xml';

const wordsOf = (element: { textContent: string | null } | undefined) =>
  (element?.textContent ?? '').replaceAll(/[ \t\r\n]+/g, ' ').trim();

/** Title and author of an Office Open XML file. */
function coreFacts(parts: ReadonlyMap<string, Buffer>): FoundText {
  const core = parts.get(CORE);
  if (core === undefined) return {};
  const xml = parseXml(core);
  const [title] = xml.getElementsByTagName('dc:title');
  const [author] = xml.getElementsByTagName('dc:creator');
  return { title: wordsOf(title), author: wordsOf(author) };
}

/** Headings, lists and tables of a Word document. */
export async function readDocx({ bytes }: FileSource): Promise<FoundText> {
  // Checks size and count of all parts before the library unpacks them.
  const parts = await unpackParts(bytes, () => true);
  requirePart(parts, 'word/document.xml');
  const { value: html } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
  );
  const page = await readPage({
    url: 'https://file.invalid/',
    mediaType: 'text/html',
    charset: 'utf-8',
    body: Buffer.from(`<!doctype html><html><body><article>${html}</article></body></html>`),
  });
  return { ...coreFacts(parts), text: page.text };
}

const numberIn = (path: string) => Number(/(\d+)\.xml$/.exec(path)?.[1] ?? 0);

/** One section for each slide, with its notes. */
export async function readPptx({ bytes }: FileSource): Promise<FoundText> {
  const SLIDE = /^ppt\/(?:slides\/slide|notesSlides\/notesSlide)\d+\.xml$/;
  const parts = await unpackParts(
    bytes,
    (path) => SLIDE.test(path) || path === CORE || path === 'ppt/presentation.xml',
  );
  requirePart(parts, 'ppt/presentation.xml');
  const slides = [...parts.keys()]
    .filter((path) => path.startsWith('ppt/slides/'))
    .sort((one, other) => numberIn(one) - numberIn(other));
  const texts = slides.map((path, index) => {
    const lines = paragraphsOf(parts.get(path));
    const notes = paragraphsOf(parts.get(`ppt/notesSlides/notesSlide${numberIn(path)}.xml`));
    return [`## Slide ${index + 1}`, ...lines, ...notes].join('\n\n');
  });
  return { ...coreFacts(parts), text: texts.join('\n\n'), pages: slides.length };
}

/** Paragraphs without the numbers of the slides. */
function paragraphsOf(part: Buffer | undefined): string[] {
  if (part === undefined) return [];
  const all = [...parseXml(part).getElementsByTagName('a:p')].map(wordsOf);
  return all.filter((words) => !/^\d*$/.test(words));
}

/** One table for each sheet. */
export async function readXlsx({ bytes }: FileSource): Promise<FoundText> {
  const SHEET = /^xl\/worksheets\/sheet\d+\.xml$/;
  const NAMED = ['xl/workbook.xml', 'xl/sharedStrings.xml', CORE];
  const parts = await unpackParts(bytes, (path) => SHEET.test(path) || NAMED.includes(path));
  const workbook = parseXml(requirePart(parts, 'xl/workbook.xml'));
  const names = [...workbook.getElementsByTagName('sheet')].map((sheet) => sheet.getAttribute('name') ?? '');
  const strings = stringsOf(parts.get('xl/sharedStrings.xml'));
  const sheets = [...parts.keys()]
    .filter((path) => SHEET.test(path))
    .sort((one, other) => numberIn(one) - numberIn(other));
  const texts: string[] = [];
  let characters = 0;
  for (const [index, path] of sheets.entries()) {
    if (characters > CAPTURE.pageTextMax) break;
    const rows = rowsOf(parseXml(requirePart(parts, path)), strings);
    const text = `## ${names[index] ?? `Sheet ${index + 1}`}\n\n${table(rows)}`;
    characters += text.length;
    texts.push(text);
  }
  return { ...coreFacts(parts), text: texts.join('\n\n'), pages: sheets.length };
}

function stringsOf(part: Buffer | undefined): string[] {
  if (part === undefined) return [];
  return [...parseXml(part).getElementsByTagName('si')].map((entry) =>
    [...entry.getElementsByTagName('t')].map(({ textContent }) => textContent ?? '').join(''),
  );
}

function rowsOf(sheet: Xml, strings: readonly string[]): string[][] {
  return [...sheet.getElementsByTagName('row')].map((row) => {
    const cells: string[] = [];
    for (const cell of row.getElementsByTagName('c')) {
      const column = columnOf(cell.getAttribute('r') ?? '') ?? cells.length;
      // Beyond what a table of a text can show.
      if (column >= 200) break;
      while (cells.length < column) cells.push('');
      cells[column] = valueOf(cell, strings);
    }
    return cells;
  });
}

/** `C7` is in column 2. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + (letter.codePointAt(0) ?? 64) - 64, 0) - 1;
}

function valueOf(cell: XmlElement, strings: readonly string[]): string {
  const [value] = cell.getElementsByTagName('v');
  const type = cell.getAttribute('t');
  if (type === 's') return strings[Number(wordsOf(value))] ?? '';
  if (type === 'inlineStr') return wordsOf(cell);
  if (type === 'b') return wordsOf(value) === '1' ? 'TRUE' : 'FALSE';
  return wordsOf(value);
}

/** A Markdown table; empty rows are left out. */
function table(rows: readonly string[][]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  const width = Math.max(0, ...filled.map((row) => row.length));
  const [head, ...body] = filled.map((row) => {
    const cells = Array.from({ length: width }, (_, index) => row[index] ?? '');
    return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ')).join(' | ')} |`;
  });
  if (head === undefined) return '';
  return [head, `| ${Array.from({ length: width }, () => '---').join(' | ')} |`, ...body].join('\n');
}

/** Headings and paragraphs of an OpenDocument text. */
export async function readOdt({ bytes }: FileSource): Promise<FoundText> {
  const parts = await unpackParts(bytes, (path) => ['content.xml', 'meta.xml', 'mimetype'].includes(path));
  const type = requirePart(parts, 'mimetype').toString('latin1').trim();
  if (!type.startsWith('application/vnd.oasis.opendocument.text'))
    throw new UnreadableFile('The content of this file does not match its name.');
  const [body] = parseXml(requirePart(parts, 'content.xml')).getElementsByTagName('office:text');
  const lines = [...(body?.querySelectorAll('*') ?? [])].flatMap((element) => {
    const name = element.tagName.toLowerCase();
    if (name !== 'text:h' && name !== 'text:p') return [];
    const words = wordsOf(element);
    if (words === '') return [];
    if (name === 'text:p') return [element.closest('text\\:list-item') ? `- ${words}` : words];
    const level = Math.min(6, Math.max(1, Number(element.getAttribute('text:outline-level') ?? 1)));
    return [`${'#'.repeat(level)} ${words}`];
  });
  const meta = parts.get('meta.xml');
  const facts = meta && parseXml(meta);
  return {
    title: wordsOf(facts?.getElementsByTagName('dc:title')[0]),
    author: wordsOf(facts?.getElementsByTagName('meta:initial-creator')[0]),
    language: wordsOf(facts?.getElementsByTagName('dc:language')[0]),
    text: lines.join('\n\n'),
  };
}
