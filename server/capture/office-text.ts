// The text of Word, PowerPoint and OpenDocument text files.
import mammoth from 'mammoth';
import type { FileSource, FoundText } from './file-source.ts';
import { parseXml, requirePart, unpackParts } from './packed-files.ts';
import { readPage } from './page-text.ts';
import { UnreadableFile } from './unreadable-file.ts';

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
