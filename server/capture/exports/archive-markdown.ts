// The Markdown files of an export, as Obsidian opens them: properties in front, and links between the files.
import { stringify } from 'yaml';
import { escapeMarkdown } from '#shared/markdown/escape-markdown.ts';
import { replaceLinks } from '../imports/archive-links.ts';
import type { ArchiveRowOf } from '../workspace-archive.ts';

const MEMORY_LINK = /\]\(memory:(mem_[a-z1-9]{32})\)/g;

export type PathOf = (memoryId: string) => string | undefined;
/** The path of the note that a reference by this title leads to. */
export type PathOfTitle = (title: string) => string | undefined;

/** From one file of the archive to another; every file is in one folder. */
function linkTo(path: string): string {
  return `../${path.split('/').map(encodeURIComponent).join('/')}`;
}

function frontMatter(properties: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(properties).filter(
    ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return `---\n${stringify(Object.fromEntries(given), { lineWidth: 0 })}---\n`;
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

interface MemoryFile {
  row: ArchiveRowOf<'memory'>;
  path: string;
  spaces: readonly string[];
  pathOf: PathOf;
  pathOfTitle: PathOfTitle;
}

/** References by title as Obsidian finds the file, whose name may differ from the title, or be that of several. */
function withFileNames(notes: string, pathOfTitle: PathOfTitle): string {
  return replaceLinks(notes, { withWiki: true }, ({ path, words, isWiki, isShown, isInRow }) => {
    const file = isWiki && !isShown ? pathOfTitle(path)?.replace(/\.md$/, '') : undefined;
    if (file === undefined) return undefined;
    return `[[${file}${isInRow ? '\\' : ''}|${words === '' ? path : words}]]`;
  });
}

/** A memory: its fields as properties, its file, its notes, and the text of its page. */
export function memoryMarkdown({ row, path, spaces, pathOf, pathOfTitle }: MemoryFile): string {
  const { title, url, description, summary, tags, archived, created, updated, origin, notes, page } = row;
  const name = nameIn(path).replace(/\.md$/, '');
  const properties = {
    title,
    // Links by the full title find the file as well.
    aliases: title !== null && title !== name ? [title] : [],
    url,
    // No link: an import of the Markdown alone would create a memory from it.
    'saved page': row.savedPage === null ? null : nameIn(row.savedPage.file),
    description,
    summary,
    // Obsidian has no tags with spaces; the data files have them unchanged.
    tags: tags.map((tag) => tag.replace(/\s+/g, '-')),
    spaces,
    archived,
    created,
    updated,
    origin,
  };
  const linked = notes?.replace(MEMORY_LINK, (whole, id: string) => {
    const target = pathOf(id);
    return target === undefined ? whole : `](${linkTo(target)})`;
  });
  const parts = [
    ...(row.file === null ? [] : [`![${escapeMarkdown(row.filename ?? name)}](${linkTo(row.file)})`]),
    ...(linked === undefined ? [] : [withFileNames(linked, pathOfTitle)]),
    ...(page === null
      ? []
      : [`## ${row.type === 'file' ? 'Text of the file' : 'Text of the page'}`, page.text]),
  ];
  return `${frontMatter(properties)}\n${parts.join('\n\n')}\n`;
}

const WHO = { user: 'Question', assistant: 'Answer' } as const;

/** A thread, piece by piece: its messages with links to their sources. */
export async function* threadMarkdown(
  thread: ArchiveRowOf<'thread'>,
  messages: AsyncIterable<ArchiveRowOf<'message'>>,
  pathOf: PathOf,
): AsyncGenerator<string> {
  const { name, summary, created, updated } = thread;
  yield `${frontMatter({ title: name, created, updated })}\n# ${escapeMarkdown(name)}\n`;
  if (summary !== null) yield `\n> ${escapeMarkdown(summary)}\n`;
  for await (const { role, content, citations, createdAt, versionOf } of messages) {
    if (versionOf !== null) continue;
    yield `\n## ${WHO[role]}, ${createdAt.slice(0, 16).replace('T', ' ')} UTC\n\n${content}\n`;
    if (citations.length === 0) continue;
    const sources = citations.map(({ memoryId, quote }, index) => {
      const target = pathOf(memoryId);
      const words = target?.slice(target.lastIndexOf('/') + 1).replace(/\.md$/, '');
      const source =
        target === undefined || words === undefined
          ? 'A source that is not in this export'
          : `[${escapeMarkdown(words)}](${linkTo(target)})`;
      return `${index + 1}. ${source}${quote === null ? '' : `: “${escapeMarkdown(quote)}”`}`;
    });
    yield `\nSources:\n\n${sources.join('\n')}\n`;
  }
}
