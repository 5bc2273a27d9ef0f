// Public spaces, threads and workspaces as Markdown, for people and programs that prefer text. Pure words; text from
// people can become neither HTML nor a link of its own making.
import { countMemories, countOf } from '#shared/english.ts';
import { pathTo } from '#shared/pages.ts';
import { escapeMarkdown } from '#shared/markdown/escape-markdown.ts';
import { safeLink } from '#shared/markdown/safe-link.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import type { PublicMemory } from '#shared/memories/public-memory.ts';
import { memoryPagePath, publicCitationPath, publicSpacePath } from '#shared/citation-path.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import type { PublicMessage, PublicThread } from '#shared/threads/public-thread.ts';
import type { PublicWorkspace } from '#shared/workspaces/public-workspace.ts';

export function threadPath({ workspace, id }: PublicThread): string {
  return pathTo('public_thread', { workspace_slug: workspace.slug, thread_id: id });
}

export function workspacePath({ slug }: PublicWorkspace): string {
  return pathTo('public_workspace', { workspace_slug: slug });
}

interface Head {
  name: string;
  description: string | null;
  /** One line of facts, such as counts and the address. */
  facts: string;
}

function headOf({ name, description, facts }: Head): string[] {
  return [
    `# ${escapeMarkdown(name)}`,
    '',
    ...(description ? [`> ${escapeMarkdown(description)}`, ''] : []),
    facts,
    '',
  ];
}

function moreThan(shown: number, all: number): string[] {
  return all > shown ? ['', `And ${all - shown} more.`] : [];
}

/** The address that a memory was saved from. Angle brackets hold any; one that holds them itself is left out. */
function sourceOf({ url }: Pick<PublicMemory, 'url'>): string | undefined {
  return url !== null && safeLink(url) !== undefined && !/[<>\s]/.test(url) ? url : undefined;
}

/** A memory with its text, which is safe to pass on as Markdown. */
export function memoryMarkdown(
  { space, memory, text }: { space: PublicSpace; memory: PublicMemory; text: string },
  origin: string,
): string {
  const name = memoryTitle({ ...memory, notes: memory.text });
  const source = sourceOf(memory);
  const facts = [
    `In [${escapeMarkdown(space.name)}](<${origin}${publicSpacePath(space)}.md>), ${origin}${memoryPagePath(space, memory.id)}`,
    ...(source === undefined ? [] : [`Source: <${source}>`]),
    ...(memory.tags.length > 0 ? [`Tags: ${memory.tags.map(escapeMarkdown).join(', ')}`] : []),
  ].join('\n\n');
  const leads = memory.summary ? [escapeMarkdown(memory.summary), ''] : [];
  return [
    ...headOf({ name, description: memory.description, facts }),
    ...leads,
    ...(text === '' ? [] : [text, '']),
  ].join('\n');
}

export function spaceMarkdown(space: PublicSpace, memories: PublicMemory[], origin: string): string {
  const lines = memories.map((memory) => {
    const title = escapeMarkdown(memoryTitle({ ...memory, notes: memory.excerpt }));
    const text = memory.summary || memory.description || memory.excerpt;
    const source = sourceOf(memory);
    const link = space.publishText ? `${origin}${memoryPagePath(space, memory.id)}.md` : source;
    const name = link === undefined ? title : `[${title}](<${link}>)`;
    const from = space.publishText && source !== undefined ? ` (<${source}>)` : '';
    return `- ${name}${from}${text ? `: ${escapeMarkdown(text)}` : ''}`;
  });
  const count = countMemories(space.memoryCount);
  const facts = `${count} in ${escapeMarkdown(space.workspace.name)}, ${origin}${publicSpacePath(space)}`;
  return [...headOf({ ...space, facts }), ...lines, ...moreThan(lines.length, space.memoryCount), ''].join(
    '\n',
  );
}

/** A thread with its messages, oldest first; their texts are safe to pass on as Markdown. */
export function threadMarkdown(thread: PublicThread, messages: PublicMessage[], origin: string): string {
  const author = thread.author ?? (thread.askedIn === null ? 'Author' : 'Visitor');
  const blocks = messages.flatMap(({ role, content, citations, createdAt }) => [
    `## ${escapeMarkdown(role === 'assistant' ? 'Answer' : author)}, ${createdAt.slice(0, 16).replace('T', ' ')}`,
    '',
    content,
    '',
    ...citations.map((source) => {
      const path = publicCitationPath(thread.workspace.slug, source);
      const title = escapeMarkdown(source.title);
      return `${source.number}. ${path === null ? title : `[${title}](<${origin}${path}>)`}`;
    }),
    ...(citations.length > 0 ? [''] : []),
  ]);
  const count = countOf(thread.messageCount, 'message');
  const facts = `${count} in ${escapeMarkdown(thread.workspace.name)}, ${origin}${threadPath(thread)}`;
  const head = headOf({ name: thread.name, description: thread.summary, facts });
  return [...head, ...blocks, ...moreThan(messages.length, thread.messageCount), ''].join('\n');
}

export function workspaceMarkdown(
  workspace: PublicWorkspace,
  { spaces, threads }: { spaces: PublicSpace[]; threads: PublicThread[] },
  origin: string,
): string {
  const facts = `${countOf(workspace.spaceCount, 'public space')} and ${countOf(workspace.threadCount, 'public thread')}, ${origin}${workspacePath(workspace)}`;
  const list = (title: string, lines: string[]) =>
    lines.length > 0 ? [`## ${title}`, '', ...lines, ''] : [];
  return [
    ...headOf({ ...workspace, facts }),
    ...list(
      'Spaces',
      spaces.map((space) => `- [${escapeMarkdown(space.name)}](<${origin}${publicSpacePath(space)}.md>)`),
    ),
    ...list(
      'Threads',
      threads.map((thread) => `- [${escapeMarkdown(thread.name)}](<${origin}${threadPath(thread)}.md>)`),
    ),
  ].join('\n');
}
