/**
 * A thread as a file in the requested format. Contains only what the reader can see; created by the server, or offline
 * by the device.
 */
import { escapeMarkdown } from '../markdown/escape-markdown.ts';
import type { RenderMarkdown } from '../markdown/render-task.ts';
import { PRODUCT_NAME } from '../constants.ts';
import type { ExportBody, ExportFormat } from './conversation.ts';
import type { Message } from './message.ts';

/** A source of an answer, as visible to the reader of the file. */
interface ExportedCitation {
  number: number;
  title: string;
  /** A full address; null when it cannot be opened. */
  href: string | null;
  quote: string | null;
}

export type ExportedMessage = Pick<Message, 'id' | 'role' | 'content' | 'createdAt'> & {
  citations: readonly ExportedCitation[];
};

/** Parts of a thread in an export; none of them names a person. */
export interface Exported {
  thread: { id: string; name: string; summary: string | null };
  messages: ExportedMessage[];
}

export interface ExportFile {
  text: string;
  headers: Readonly<Record<string, string>>;
}

type Include = ExportBody['include'];
type Write = (exported: Exported, include: Include) => string;

const WHO: Readonly<Record<Message['role'], string>> = {
  user: 'Question',
  assistant: 'Answer',
  system: 'System',
};

const moment = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

const SOURCES = 'Sources';

function citationsOf({ citations }: ExportedMessage, include: Include): readonly ExportedCitation[] {
  return include.citations ? citations : [];
}

function markdownSources(message: ExportedMessage, include: Include): string[] {
  const lines = citationsOf(message, include).map(({ number, title, href, quote }) => {
    const name = href === null ? escapeMarkdown(title) : `[${escapeMarkdown(title)}](<${href}>)`;
    return `${number}. ${name}${quote === null ? '' : `: “${escapeMarkdown(quote)}”`}`;
  });
  return lines.length === 0 ? [] : [`${SOURCES}:`, lines.join('\n')];
}

function textSources(message: ExportedMessage, include: Include): string {
  const lines = citationsOf(message, include).map(
    ({ number, title, href, quote }) =>
      `${number}. ${title}${quote === null ? '' : `: “${quote}”`}${href === null ? '' : ` (${href})`}`,
  );
  return lines.length === 0 ? '' : `\n\n${SOURCES}:\n${lines.join('\n')}`;
}

function headingOf({ role, createdAt }: Exported['messages'][number], { timestamps }: Include): string {
  return timestamps ? `${WHO[role]}, ${moment(createdAt)}` : WHO[role];
}

/** One answer with its sources, as Markdown for export. */
export function answerWithSources(message: ExportedMessage): string {
  return [message.content, ...markdownSources(message, { citations: true, timestamps: false })].join('\n\n');
}

const writeMarkdown: Write = ({ thread, messages }, include) =>
  [
    `# ${escapeMarkdown(thread.name)}`,
    ...(thread.summary === null ? [] : [`> ${escapeMarkdown(thread.summary)}`]),
    ...messages.flatMap((message) => [
      `## ${headingOf(message, include)}`,
      message.content,
      ...markdownSources(message, include),
    ]),
    '',
  ].join('\n\n');

const writeText: Write = ({ thread, messages }, include) =>
  [
    thread.name,
    ...(thread.summary === null ? [] : [thread.summary]),
    ...messages.map(
      (message) =>
        `${headingOf(message, include)}\n${message.content.trim()}${textSources(message, include)}`,
    ),
    '',
  ].join('\n\n');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function htmlSources(message: ExportedMessage, include: Include): string {
  const items = citationsOf(message, include).map(({ number, title, href, quote }) => {
    const words = escapeHtml(title);
    const name = href === null ? words : `<a href="${escapeHtml(href)}" rel="noreferrer">${words}</a>`;
    return `<li value="${number}">${name}${quote === null ? '' : `<blockquote>${escapeHtml(quote)}</blockquote>`}</li>`;
  });
  return items.length === 0 ? '' : `<p>${SOURCES}</p><ol>${items.join('')}</ol>`;
}

/** Text stays text: what people wrote cannot become markup of a file that is opened from a disk. */
const writeHtml: Write = ({ thread, messages }, include) => {
  const articles = messages.map(
    (message) =>
      `<article><h2>${escapeHtml(headingOf(message, include))}</h2>\n<div>${escapeHtml(message.content.trim())}</div>${htmlSources(message, include)}</article>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(thread.name)}</title>
<style>body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif}h2{font-size:1rem}div{white-space:pre-wrap;overflow-wrap:anywhere}</style></head>
<body><h1>${escapeHtml(thread.name)}</h1>
${thread.summary === null ? '' : `<p>${escapeHtml(thread.summary)}</p>\n`}${articles.join('\n')}
</body>
</html>
`;
};

const writeJson: Write = ({ thread, messages }, include) =>
  `${JSON.stringify(
    {
      generator: PRODUCT_NAME,
      thread,
      messages: messages.map(({ id, role, content, citations, createdAt }) => ({
        id,
        role,
        content,
        ...(include.citations ? { citations } : {}),
        ...(include.timestamps ? { createdAt } : {}),
      })),
    },
    null,
    2,
  )}\n`;

const FORMS: Readonly<Record<ExportFormat, { write: Write; ending: string; type: string }>> = {
  markdown: { write: writeMarkdown, ending: 'md', type: 'text/markdown; charset=utf-8' },
  text: { write: writeText, ending: 'txt', type: 'text/plain; charset=utf-8' },
  html: { write: writeHtml, ending: 'html', type: 'text/html; charset=utf-8' },
  json: { write: writeJson, ending: 'json', type: 'application/json; charset=utf-8' },
};

/** Letters, digits and single hyphens, so that no name can become a path or a header of its own. */
function fileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60);
  return plain === '' ? 'thread' : plain;
}

export function exportName(threadName: string, format: ExportFormat): string {
  return `${fileName(threadName)}.${FORMS[format].ending}`;
}

/** With texts that another program may render as Markdown: no HTML, and links of the web alone. */
async function withSafeTexts(
  { thread, messages }: Exported,
  markdown: Pick<RenderMarkdown, 'sources'>,
): Promise<Exported> {
  const texts = await markdown.sources(messages.map(({ content }) => content.trim()));
  return {
    thread,
    messages: messages.map((message, index) => ({ ...message, content: texts[index] ?? '' })),
  };
}

/** The file of a thread with the headers for a download. */
export async function exportFile(
  exported: Exported,
  { format, include }: Pick<ExportBody, 'format' | 'include'>,
  markdown: Pick<RenderMarkdown, 'sources'>,
): Promise<ExportFile> {
  const { write, type } = FORMS[format];
  return {
    text: write(format === 'markdown' ? await withSafeTexts(exported, markdown) : exported, include),
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${exportName(exported.thread.name, format)}"`,
      'Cache-Control': 'no-store',
    },
  };
}
