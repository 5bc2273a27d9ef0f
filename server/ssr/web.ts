// Serves all paths outside the API: static files, server-rendered public pages, the static shell of the application, and
// not-found. In development Vite sits inside the same process and port. Mount it after the API routes.
import type { Server } from 'node:http';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { isbot } from 'isbot';
import { statusMessage } from '#shared/errors.ts';
import { matchPage } from '#shared/page-match.ts';
import { PAGES } from '#shared/pages.ts';
import type { RenderMarkdown } from '#shared/markdown/render-task.ts';
import type { CallApi } from '#shared/site/render.ts';
import { redirectTo } from '../http/redirect.ts';
import { mountAskForm } from './ask-form.ts';
import { openContent, type ContentStore } from './content-store.ts';
import { createFailurePage, type ShowFailure } from './failure-page.ts';
import { builtContent, developmentContent, loadBuilt, type PageSource } from './page-source.ts';
import type { SitemapEntry } from './feeds.ts';
import { documentOf, keepOut, type PagePlace, setPageHeaders, urlOf } from './page-answer.ts';
import { createPageCache, type PageCache, sendKept } from './page-cache.ts';
import { mountReportForms } from './report-form.ts';
import {
  createRevalidatedPages,
  recordCalls,
  type RevalidatedPage,
  type RevalidatedPages,
} from './revalidated-pages.ts';
import { mountSharedFiles } from './shared-files.ts';
import { previewOf } from './shared-things.ts';
import { mountSiteFiles } from './site-files.ts';
import { mountStatic } from './static-files.ts';

export interface WebOptions extends PagePlace {
  /** Calls a public endpoint in this process as the anonymous actor. */
  callApi: CallApi;
  /** Renders text of people. */
  markdown: RenderMarkdown;
  /** The same on behalf of the visitor of a page, so that visits and searches are counted. */
  callApiFor?: (req: Request, onVisit?: (resourceId: string) => void) => CallApi;
  /** Counts a visit of a page that is served without its calls. */
  recordVisit?: (req: Request, resourceId: string) => Promise<void>;
  /** The present version of the public data of a workspace, from the database. */
  versionOf?: (workspaceSlug: string) => Promise<string | undefined>;
  /** Public pages from the database, for the sitemap. */
  sharedPages?: () => Promise<SitemapEntry[]>;
  /** Development: the server whose socket carries hot updates. */
  server?: Server;
}

/** The running front: `close` stops Vite in development. */
export interface Web {
  showFailure: ShowFailure;
  close(): Promise<void>;
}

/** Mounts pages and files on the application. */
export async function mountWeb(app: Express, options: WebOptions): Promise<Web> {
  const isDevelopment = options.mode === 'development';
  const content = openContent(isDevelopment ? developmentContent : builtContent, { fresh: isDevelopment });
  const callApiFor = (req: Request) => options.callApiFor?.(req) ?? options.callApi;
  mountSiteFiles(app, {
    origin: options.publicOrigin,
    content,
    callApiFor,
    sharedPages: options.sharedPages ?? (async () => []),
    sharedPreview: (path) => previewOf(path, options.callApi),
  });
  const { publicOrigin: origin, callApi, markdown } = options;
  mountSharedFiles(app, { origin, callApi, markdown });
  // Before the reports, whose addresses of memories accept any name.
  mountAskForm(app, callApiFor);
  mountReportForms(app, callApiFor);
  const source = isDevelopment ? await loadDevelopment(app, options) : await loadBuilt();
  const context = { source, options, cache: createPageCache(), revalidated: createRevalidatedPages() };
  if (!isDevelopment) {
    app.get(SHELL_FILE, handler(context, answerShell));
    mountStatic(app);
  }
  app.use(refuseFiles, respell(content));
  app.get('/{*path}', handler(context, answerPage));
  return { showFailure: createFailurePage(source, options), close: () => source.close() };
}

async function loadDevelopment(app: Express, options: WebOptions): Promise<PageSource> {
  // Loaded on demand: production runs without Vite.
  const { loadVite } = await import('./vite-source.ts');
  return loadVite(app, options.server);
}

/** A missing chunk or picture is a 404, never the shell: HTML instead would hide the real fault. */
const refuseFiles: RequestHandler = (req, res, next) => {
  const last = req.path.slice(req.path.lastIndexOf('/') + 1);
  if (!last.includes('.') || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
  // The token in the link of a mail has dots too.
  if (matchPage(req.path)?.name === 'unsubscribe') return next();
  res.status(404).type('text/plain').send('Not found');
};

/** A page has one address: other spellings redirect there permanently, with their query. */
function respell(content: ContentStore): RequestHandler {
  return (req, res, next) => {
    const proper = req.method === 'GET' || req.method === 'HEAD' ? properPath(req.path, content) : undefined;
    if (proper === undefined) return next();
    const query = req.originalUrl.indexOf('?');
    res.set('Cache-Control', 'no-cache');
    redirectTo(res, 308, query === -1 ? proper : proper + req.originalUrl.slice(query));
  };
}

type AnswerDocument = (req: Request, res: Response, context: PageContext) => Promise<void>;

function handler(context: PageContext, answer: AnswerDocument): RequestHandler {
  return async (req: Request, res: Response, next: NextFunction) => {
    try {
      await answer(req, res, context);
    } catch (error) {
      next(error);
    }
  };
}

/** The application's one document; no address of a page looks like this. */
const SHELL = 'shell';
/** Path at which the service worker fetches it. It stores these headers too, so they are those of every page. */
const SHELL_FILE = '/index.html';

interface PageContext {
  source: PageSource;
  options: WebOptions;
  cache: PageCache;
  revalidated: RevalidatedPages;
}

async function answerShell(
  req: Request,
  res: Response,
  { source, options, cache }: PageContext,
): Promise<void> {
  const shell = await source.shell(req.originalUrl);
  setPageHeaders(res, shell, options);
  res.set('X-Robots-Tag', 'noindex');
  if (options.mode === 'production') return sendKept(req, res, cache.find(SHELL) ?? cache.keep(SHELL, shell));
  res.type('html').send(shell);
}

async function answerPage(req: Request, res: Response, context: PageContext): Promise<void> {
  const { source, options, cache } = context;
  const match = matchPage(req.path);
  if (match && PAGES[match.name].render === 'shell') return answerShell(req, res, context);
  const template = await source.template(req.originalUrl);
  setPageHeaders(res, template, options);
  const kept = cache.find(req.originalUrl);
  if (kept) return sendKept(req, res, kept);
  const slug = match?.params['workspace_slug'];
  const version = slug === undefined ? undefined : await options.versionOf?.(slug);
  await answerRendered(req, res, { ...context, template, version });
}

interface RenderedContext extends PageContext {
  template: string;
  /** Of the page's workspace, read before the page's data. */
  version: string | undefined;
}

/** Renders the page if its data has changed; one that made no calls is the same for every visitor. */
async function answerRendered(
  req: Request,
  res: Response,
  { source, options, cache, revalidated, template, version }: RenderedContext,
): Promise<void> {
  const calls = recordCalls((onVisit) => options.callApiFor?.(req, onVisit) ?? options.callApi);
  const address = req.originalUrl;
  const recordVisits = async (ids: ReadonlySet<string>) => {
    await Promise.all([...ids].map(async (id) => options.recordVisit?.(req, id)));
  };
  const visit = { address, version, calls, recordVisits };
  const unchanged = await revalidated.find(visit);
  if (unchanged) return sendRevalidated(req, res, unchanged);
  const render = await source.render();
  const { markdown, isWhole } = watchTexts(options.markdown);
  const page = await render({ url: urlOf(req, options.publicOrigin), callApi: calls.callApi, markdown });
  if (page.location !== undefined) {
    redirectTo(res, page.status, page.location);
    return;
  }
  if (page.status >= 400 && page.status !== 404)
    keepOut(res, (await calls.failure())?.headers.get('retry-after'));
  if (page.status >= 400 && isbot(req.get('user-agent'))) {
    res.status(page.status).type('text/plain').send(statusMessage(page.status));
    return;
  }
  const html = documentOf(template, page, options);
  const mayKeep = page.status === 200 && options.mode === 'production' && isWhole();
  if (mayKeep && calls.count() > 0)
    return sendRevalidated(req, res, await revalidated.store(visit, { html, noindex: page.noindex }));
  if (page.noindex) res.set('X-Robots-Tag', 'noindex');
  else if (mayKeep) return sendKept(req, res, cache.keep(address, html));
  res.status(page.status).type('html').send(html);
}

/** The renderer for one page, and whether it made all its texts: one that was too busy for some does so the next time. */
function watchTexts(markdown: RenderMarkdown): { markdown: RenderMarkdown; isWhole(): boolean } {
  let isWhole = true;
  return {
    isWhole: () => isWhole,
    markdown: {
      sources: markdown.sources,
      async trees(texts) {
        const trees = await markdown.trees(texts);
        if (trees.includes(undefined)) isWhole = false;
        return trees;
      },
    },
  };
}

function sendRevalidated(req: Request, res: Response, page: RevalidatedPage): Promise<void> {
  if (page.noindex) res.set('X-Robots-Tag', 'noindex');
  return sendKept(req, res, page);
}

/** Pages of the site that are no documents. */
const FIXED: ReadonlySet<string> = new Set(
  Object.values(PAGES).flatMap(({ path, render }) => (render === 'ssr' && !/[:*]/.test(path) ? [path] : [])),
);

/**
 * The address of a page of the site that was requested in another spelling: with a slash at its end or in upper case.
 * Undefined for correct addresses and those of no page. What people share has its own rule (its loaders know the present
 * address), and the application's addresses are its router's.
 */
function properPath(path: string, content: ContentStore): string | undefined {
  const proper = path.replace(/\/+$/, '').toLowerCase() || '/';
  if (proper === path) return undefined;
  return FIXED.has(proper) || content.find(proper) ? proper : undefined;
}
