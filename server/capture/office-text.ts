// The text of Word and PowerPoint files.
import mammoth from 'mammoth';
import type { FileSource, FoundText } from './file-source.ts';
import { parseXml, requirePart, unpackParts, wordsOf } from './packed-files.ts';
import { readPage } from './page-text.ts';

const CORE = 'docProps/core.xml';

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
