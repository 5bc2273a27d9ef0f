// Everything about public spaces, threads and workspaces that is not a page: feeds, Markdown forms, link cards.
// shared-things.ts finds the rows; shared-feeds.ts and shared-markdown.ts make the texts.
import type { Express, Request, Response as Answer } from 'express';
import type { Feed } from 'feed';
import { memoryPagePath, publicSpacePath } from '#shared/citation-path.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { PAGES } from '#shared/pages.ts';
import type { RenderMarkdown } from '#shared/markdown/render-task.ts';
import type { CallApi } from '#shared/site/render.ts';
import { atomText, spaceFeed, threadFeed, type FeedFormat } from './shared-feeds.ts';
import {
  memoryMarkdown,
  spaceMarkdown,
  threadMarkdown,
  threadPath,
  workspaceMarkdown,
  workspacePath,
} from './shared-markdown.ts';
import {
  findMemory,
  findSpace,
  findThread,
  findWorkspace,
  listedIn,
  memoriesOf,
  messagesOf,
  previewOf,
} from './shared-things.ts';

interface Shared {
  origin: string;
  callApi: CallApi;
  markdown: RenderMarkdown;
}

const FEED_ITEMS = 50;
const MARKDOWN_ITEMS = 100;
const PICTURE = { thumbnail_width: 1200, thumbnail_height: 630 };

/** Must be revalidated each time: content that is no longer public disappears at the next request. */
function sendFresh(res: Answer, type: string, text: string): void {
  res.set('Cache-Control', 'no-cache').type(type).send(text);
}

function formatOf({ params }: Request): FeedFormat | undefined {
  const format = params['format'];
  return format === 'xml' || format === 'json' ? format : undefined;
}

function sendFeed(res: Answer, feed: Feed, format: FeedFormat): void {
  if (format === 'xml') sendFresh(res, 'application/atom+xml', atomText(feed));
  else sendFresh(res, 'application/feed+json', feed.json1());
}

interface Text {
  /** The page that this is a form of. */
  canonical: string;
  isListed: boolean;
  text: string;
}

function sendMarkdown(res: Answer, { canonical, isListed, text }: Text): void {
  if (!isListed) res.set('X-Robots-Tag', 'noindex');
  res.set('Link', `<${canonical}>; rel="canonical"`);
  sendFresh(res, 'text/markdown; charset=utf-8', text);
}

/** Mounts the routes; they come before static files and pages. */
export function mountSharedFiles(app: Express, shared: Shared): void {
  mountFeeds(app, shared);
  mountMarkdown(app, shared);
  app.get('/oembed', (req, res) => answerEmbed(req, res, shared));
}

/** Only for public content: a feed of unlisted content would be another way to find it. */
function mountFeeds(app: Express, { origin, callApi }: Shared): void {
  app.get(`${PAGES.public_space.path}/feed.:format`, async (req, res, next) => {
    const format = formatOf(req);
    const space = await findSpace(callApi, pathParams(req));
    if (space?.visibility !== 'public' || format === undefined) return next();
    sendFeed(res, spaceFeed(space, await memoriesOf(callApi, space, FEED_ITEMS), { origin, format }), format);
  });
  app.get(`${PAGES.public_thread.path}/feed.:format`, async (req, res, next) => {
    const format = formatOf(req);
    const thread = await findThread(callApi, pathParams(req));
    if (thread?.visibility !== 'public' || format === undefined) return next();
    const messages = await messagesOf(callApi, thread, { order: 'desc', most: FEED_ITEMS });
    sendFeed(res, threadFeed(thread, messages, { origin, format }), format);
  });
}

function mountMarkdown(app: Express, { origin, callApi, markdown }: Shared): void {
  app.get(`${PAGES.public_space.path}.md`, async (req, res, next) => {
    const space = await findSpace(callApi, pathParams(req));
    if (!space) return next();
    const text = spaceMarkdown(space, await memoriesOf(callApi, space, MARKDOWN_ITEMS), origin);
    const isListed = space.visibility === 'public';
    sendMarkdown(res, { canonical: origin + publicSpacePath(space), isListed, text });
  });
  app.get(`${PAGES.public_memory.path}.md`, async (req, res, next) => {
    const found = await findMemory(callApi, pathParams(req));
    if (!found) return next();
    const { space, memory } = found;
    const [text = ''] = await markdown.sources([memory.text?.trim() ?? '']);
    const isListed = space.visibility === 'public';
    const canonicalSpace = (isListed ? memory.canonicalSpace : null) ?? space.slug;
    const canonical = origin + memoryPagePath({ ...space, slug: canonicalSpace }, memory.id);
    sendMarkdown(res, { canonical, isListed, text: memoryMarkdown({ space, memory, text }, origin) });
  });
  app.get(`${PAGES.public_thread.path}.md`, async (req, res, next) => {
    const thread = await findThread(callApi, pathParams(req));
    if (!thread) return next();
    const messages = await messagesOf(callApi, thread, { order: 'asc', most: MARKDOWN_ITEMS });
    const contents = await markdown.sources(messages.map(({ content }) => content.trim()));
    const shown = messages.map((message, index) => ({ ...message, content: contents[index] ?? '' }));
    const text = threadMarkdown(thread, shown, origin);
    const isListed = thread.visibility === 'public';
    sendMarkdown(res, { canonical: origin + threadPath(thread), isListed, text });
  });
  app.get(`${PAGES.public_workspace.path}.md`, async (req, res, next) => {
    const workspace = await findWorkspace(callApi, pathParams(req));
    if (!workspace) return next();
    const text = workspaceMarkdown(workspace, await listedIn(callApi, workspace, MARKDOWN_ITEMS), origin);
    sendMarkdown(res, { canonical: origin + workspacePath(workspace), isListed: true, text });
  });
}

/** The parameters of an address as text, which they are for every pattern of the pages table. */
export function pathParams(req: Request): Record<string, string> {
  return Object.fromEntries(Object.entries(req.params).map(([name, value]) => [name, String(value)]));
}

/** A link card, as oEmbed calls what cannot be framed (https://oembed.com). */
async function answerEmbed(req: Request, res: Answer, { origin, callApi }: Shared): Promise<void> {
  const asked: unknown = req.query['url'];
  const url = typeof asked === 'string' ? URL.parse(asked) : null;
  if ((req.query['format'] ?? 'json') !== 'json') {
    res.status(501).json({ error: 'Cards are given as JSON only' });
    return;
  }
  const path = url?.pathname.replace(/\/+$/, '');
  const words = path !== undefined && url?.origin === origin ? await previewOf(path, callApi) : undefined;
  if (!words) {
    res.status(404).json({ error: 'There is no public page at this address' });
    return;
  }
  res.set('Cache-Control', 'no-cache').json({
    version: '1.0',
    type: 'link',
    title: words.title,
    provider_name: PRODUCT_NAME,
    provider_url: origin,
    thumbnail_url: `${origin}/og${path}.png`,
    ...PICTURE,
  });
}
