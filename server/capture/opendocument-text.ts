// OpenDocument texts as Markdown: headings, paragraphs, lists, tables and footnotes.
import type { FileSource, FoundText } from './file-source.ts';
import { markdownTable } from './markdown-table.ts';
import { parseXml, requirePart, unpackParts, wordsOf } from './packed-files.ts';
import { UnreadableFile } from './unreadable-file.ts';

type XmlElement = ReturnType<ReturnType<typeof parseXml>['getElementsByTagName']>[number];

/** Longer runs of spaces are layout. */
const SPACES_MAX = 100;
const NOT_TEXT: ReadonlySet<string> = new Set(
  'text:tracked-changes text:sequence-decls office:annotation office:forms'.split(' '),
);

export async function readOdt({ bytes }: FileSource): Promise<FoundText> {
  const parts = await unpackParts(bytes, (path) => ['content.xml', 'meta.xml', 'mimetype'].includes(path));
  const type = requirePart(parts, 'mimetype').toString('latin1').trim();
  if (!type.startsWith('application/vnd.oasis.opendocument.text'))
    throw new UnreadableFile('The content of this file does not match its name.');
  const [body] = parseXml(requirePart(parts, 'content.xml')).getElementsByTagName('office:text');
  const notes: string[] = [];
  const blocks = body === undefined ? [] : blocksOf(body, notes);
  const meta = parts.get('meta.xml');
  const facts = meta && parseXml(meta);
  return {
    title: wordsOf(facts?.getElementsByTagName('dc:title')[0]),
    author: wordsOf(facts?.getElementsByTagName('meta:initial-creator')[0]),
    language: wordsOf(facts?.getElementsByTagName('dc:language')[0]),
    text: [...blocks, ...notes.map((note, index) => `[^${index + 1}]: ${note}`)].join('\n\n'),
  };
}

const nameOf = (element: Pick<XmlElement, 'tagName'>) => element.tagName.toLowerCase();

/** @param notes receives the footnotes */
function blocksOf(parent: XmlElement, notes: string[]): string[] {
  return [...parent.children].flatMap((element) => {
    const name = nameOf(element);
    if (NOT_TEXT.has(name)) return [];
    if (name === 'table:table') return [tableOf(element, notes)].filter((table) => table !== '');
    if (name === 'text:list-item')
      return blocksOf(element, notes).map((text) => (text.startsWith('- ') ? text : `- ${text}`));
    if (name !== 'text:h' && name !== 'text:p') return blocksOf(element, notes);
    const text = inlineOf(element, notes).trim();
    if (text === '' || name === 'text:p') return text === '' ? [] : [text];
    const level = Math.min(6, Math.max(1, Number(element.getAttribute('text:outline-level') ?? 1)));
    return [`${'#'.repeat(level)} ${text}`];
  });
}

function tableOf(table: XmlElement, notes: string[]): string {
  const rows = [...table.querySelectorAll('table\\:table-row')].filter(
    (row) => row.closest('table\\:table') === table,
  );
  return markdownTable(rows.map((row) => [...row.children].map((cell) => blocksOf(cell, notes).join(' '))));
}

/** White space in XML is one space; others, tabs and line breaks are elements. */
function inlineOf(parent: XmlElement, notes: string[]): string {
  return [...parent.childNodes]
    .map((node) => {
      if (!('tagName' in node)) return (node.textContent ?? '').replaceAll(/[ \t\r\n]+/g, ' ');
      const name = nameOf(node);
      if (NOT_TEXT.has(name)) return '';
      if (name === 'text:s')
        return ' '.repeat(Math.min(SPACES_MAX, Math.abs(Number(node.getAttribute('text:c') ?? 1))));
      if (name === 'text:tab') return '\t';
      if (name === 'text:line-break') return '\n';
      if (name !== 'text:note') return inlineOf(node, notes);
      const [body] = node.getElementsByTagName('text:note-body');
      const number = notes.push('');
      notes[number - 1] = body === undefined ? '' : blocksOf(body, []).join(' ');
      return `[^${number}]`;
    })
    .join('');
}
