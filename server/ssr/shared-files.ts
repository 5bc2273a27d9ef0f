// What machines read about spaces and threads that people share: feeds, Markdown forms, oEmbed and the words of preview
// pictures. Everything is asked from the public API, so nothing here can show more than it does.
import type { Express, NextFunction, Request, Response as Answer } from 'express';
import { Feed } from 'feed';
import { z } from 'zod';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { publicMemory, type PublicMemory } from '#shared/memories/public-memory.ts';
import { matchPage } from '#shared/page-match.ts';
import { pathTo } from '#shared/pages.ts';
import type { CallApi } from '#shared/site/render.ts';
import { publicSpace, type PublicSpace } from '#shared/spaces/public-space.ts';
import { publicThread } from '#shared/threads/public-thread.ts';
import { publicWorkspace } from '#shared/workspaces/public-workspace.ts';
import type { PreviewWords } from './og.ts';

interface Shared {
  origin: string;
  callApi: CallApi;
}

const FEED_ITEMS = 50;
const MARKDOWN_ITEMS = 100;
const PICTURE = { thumbnail_width: 1200, thumbnail_height: 630 };

/** Undefined for everything that the public does not reach. */
async function ask<T>(callApi: CallApi, path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(await callApi('GET', path));
  } catch (error) {
    if (error instanceof Response && error.status === 404) return undefined;
    throw error;
  }
}

function findSpace(callApi: CallApi, params: Record<string, string>): Promise<PublicSpace | undefined> {
  const [workspace, slug] = [params['workspace_slug'] ?? '', params['space_slug'] ?? ''];
  return ask(
    callApi,
    `/v1/public/spaces/slug/${encodeURIComponent(workspace)}/${encodeURIComponent(slug)}`,
    publicSpace,
  );
}

function findThread(callApi: CallApi, params: Record<string, string>) {
  const [workspace, id] = [params['workspace_slug'] ?? '', params['thread_id'] ?? ''];
  return ask(
    callApi,
    `/v1/public/threads/slug/${encodeURIComponent(workspace)}/${encodeURIComponent(id)}`,
    publicThread,
  );
}

async function memoriesOf(
  callApi: CallApi,
  { workspaceId, id }: PublicSpace,
  most: number,
): Promise<PublicMemory[]> {
  const path = `/v1/public/memories/${workspaceId}/${id}?orderBy=created&order=desc&perPage=${most}`;
  return (await ask(callApi, path, z.array(publicMemory))) ?? [];
}

/** Words for the preview picture of a shared page, undefined when the public does not reach it. */
export async function previewOf(path: string, callApi: CallApi): Promise<PreviewWords | undefined> {
  const match = matchPage(path);
  if (match?.name === 'public_space') {
    const space = await findSpace(callApi, match.params);
    const text = space?.description || `${space?.memoryCount} ${plural(space?.memoryCount)}`;
    return space && { title: space.name, text, eyebrow: space.workspace.name };
  }
  if (match?.name === 'public_thread') {
    const thread = await findThread(callApi, match.params);
    return thread && { title: thread.name, text: thread.summary ?? '', eyebrow: thread.workspace.name };
  }
  if (match?.name !== 'public_workspace') return undefined;
  const slug = encodeURIComponent(match.params['workspace_slug'] ?? '');
  const workspace = await ask(callApi, `/v1/public/workspaces/slug/${slug}`, publicWorkspace);
  return workspace && { title: workspace.name, text: workspace.description ?? 'Public spaces and threads' };
}

function plural(count: number | undefined): string {
  return count === 1 ? 'memory' : 'memories';
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Text from people as Markdown text: nothing in it may become a link, HTML or a heading. */
const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|!~]/g, String.raw`\$&`).replace(/\s+/g, ' ');

function addressOf({ workspace, slug }: PublicSpace): string {
  return pathTo('public_space', { workspace_slug: workspace.slug, space_slug: slug });
}

/** Titles are HTML in Atom and plain words in JSON Feed: `words` turns text into what the format wants. */
function feedOf(
  space: PublicSpace,
  memories: PublicMemory[],
  { origin, words }: { origin: string; words: (text: string) => string },
): Feed {
  const link = origin + addressOf(space);
  const feed = new Feed({
    id: link,
    link,
    title: words(space.name),
    description: words(space.description ?? ''),
    updated: new Date(memories[0]?.created ?? space.updated),
    favicon: `${origin}/favicon.ico`,
    generator: PRODUCT_NAME,
    feedLinks: { atom: `${link}/feed.xml`, json: `${link}/feed.json` },
  });
  for (const memory of memories) {
    feed.addItem({
      id: `${link}#${memory.id}`,
      link: memory.url ?? `${link}#${memory.id}`,
      title: words(memory.title ?? memory.url ?? 'Untitled'),
      description: words(memory.summary ?? memory.description ?? ''),
      date: new Date(memory.updated),
      published: new Date(memory.created),
      category: memory.tags.map((name) => ({ name: words(name) })),
    });
  }
  return feed;
}

function markdownOf(space: PublicSpace, memories: PublicMemory[], origin: string): string {
  const lines = memories.map((memory) => {
    const title = escapeMarkdown(memory.title ?? memory.url ?? 'Untitled');
    const text = memory.summary ?? memory.description;
    // Angle brackets hold any address; one that holds them itself is left out.
    const name = memory.url && !/[<>\s]/.test(memory.url) ? `[${title}](<${memory.url}>)` : title;
    return `- ${name}${text ? `: ${escapeMarkdown(text)}` : ''}`;
  });
  const more = space.memoryCount - memories.length;
  return [
    `# ${escapeMarkdown(space.name)}`,
    '',
    ...(space.description ? [`> ${escapeMarkdown(space.description)}`, ''] : []),
    `${space.memoryCount} ${plural(space.memoryCount)} in ${escapeMarkdown(space.workspace.name)}, ${origin}${addressOf(space)}`,
    '',
    ...lines,
    ...(more > 0 ? ['', `And ${more} more.`] : []),
    '',
  ].join('\n');
}

/** Must be asked for again each time: what stops being public is gone at the next request. */
function sendFresh(res: Answer, type: string, text: string): void {
  res.set('Cache-Control', 'no-cache').type(type).send(text);
}

/** Mounts the routes; they come before static files and pages. */
export function mountSharedFiles(app: Express, { origin, callApi }: Shared): void {
  app.get('/:workspace_slug/spaces/p/:space_slug/feed.:format', async (req, res, next) => {
    const { format } = req.params;
    const space = await findSpace(callApi, req.params);
    // The feed of an unlisted space would be one more place where it is found.
    if (space?.visibility !== 'public' || (format !== 'xml' && format !== 'json')) return next();
    const words = format === 'xml' ? escapeHtml : (text: string) => text;
    const feed = feedOf(space, await memoriesOf(callApi, space, FEED_ITEMS), { origin, words });
    if (format === 'xml') sendFresh(res, 'application/atom+xml', feed.atom1());
    else sendFresh(res, 'application/feed+json', feed.json1());
  });
  app.get('/:workspace_slug/spaces/p/:file.md', async (req, res, next) => {
    const { workspace_slug, file } = req.params;
    const space = await findSpace(callApi, { workspace_slug, space_slug: file });
    if (!space) return next();
    if (space.visibility !== 'public') res.set('X-Robots-Tag', 'noindex');
    res.set('Link', `<${origin}${addressOf(space)}>; rel="canonical"`);
    const memories = await memoriesOf(callApi, space, MARKDOWN_ITEMS);
    sendFresh(res, 'text/markdown; charset=utf-8', markdownOf(space, memories, origin));
  });
  app.get('/oembed', (req, res, next) => answerEmbed(req, res, { next, origin, callApi }));
}

interface EmbedContext extends Shared {
  next: NextFunction;
}

/** A link card, as oEmbed calls what cannot be framed (https://oembed.com). */
async function answerEmbed(
  req: Request,
  res: Answer,
  { next, origin, callApi }: EmbedContext,
): Promise<void> {
  const asked: unknown = req.query['url'];
  const url = typeof asked === 'string' ? URL.parse(asked) : null;
  const words = url?.origin === origin ? await previewOf(url.pathname, callApi) : undefined;
  if (!url || !words) return next();
  res.set('Cache-Control', 'no-cache').json({
    version: '1.0',
    type: 'link',
    title: words.title,
    provider_name: PRODUCT_NAME,
    provider_url: origin,
    thumbnail_url: `${origin}/og${url.pathname}.png`,
    ...PICTURE,
  });
}
