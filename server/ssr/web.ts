// Serves everything that is not the API: static files, server-rendered public pages, the static shell of the application, and not-found.
// In development Vite sits inside the same process and port. Mount it after the API routes.
import type { Server } from 'node:http';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { isbot } from 'isbot';
import { statusMessage } from '#shared/errors.ts';
import { matchPage } from '#shared/page-match.ts';
import { PAGES } from '#shared/pages.ts';
import type { CallApi } from '#shared/site/render.ts';
import { askOnce, createAskedPages, type AskedPage, type AskedPages } from './asked-pages.ts';
import { openContent, type ContentStore } from './content-store.ts';
import { createFailurePage, type ShowFailure } from './failure-page.ts';
import { builtContent, developmentContent, loadBuilt, type PageSource } from './page-source.ts';
import type { SitemapEntry } from './feeds.ts';
import { documentOf, keepOut, type PagePlace, setPageHeaders, urlOf } from './page-answer.ts';
import { createPageCache, type PageCache, sendKept } from './page-cache.ts';
import { properPath } from './proper-path.ts';
import { mountReportForms } from './report-form.ts';
import { mountSharedFiles } from './shared-files.ts';
import { previewOf } from './shared-things.ts';
import { mountSiteFiles } from './site-files.ts';
import { mountStatic } from './static-files.ts';

/** What serving pages needs of the rest of the server. */
export interface WebOptions extends PagePlace {
  /** Calls a public endpoint in this process as the anonymous actor. */
  callApi: CallApi;
  /** The same on behalf of the visitor of a page, so that visits and searches are counted. */
  callApiFor?: (req: Request) => CallApi;
  /** Public pages that live in the database, for the sitemap. */
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
  mountSiteFiles(app, {
    origin: options.publicOrigin,
    content,
    callApi: options.callApi,
    sharedPages: options.sharedPages ?? (async () => []),
    sharedPreview: (path) => previewOf(path, options.callApi),
  });
  mountSharedFiles(app, { origin: options.publicOrigin, callApi: options.callApi });
  mountReportForms(app, options.callApiFor ?? (() => options.callApi));
  const source = isDevelopment ? await loadDevelopment(app, options) : await loadBuilt();
  const context = { source, options, cache: createPageCache(), askedPages: createAskedPages() };
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

/** A missing chunk or picture is a 404, never the shell: HTML in its place would hide the real fault. */
const refuseFiles: RequestHandler = (req, res, next) => {
  const last = req.path.slice(req.path.lastIndexOf('/') + 1);
  if (!last.includes('.') || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
  res.status(404).type('text/plain').send('Not found');
};

/** A page has one address: other spellings of it lead there for good, with their query. */
function respell(content: ContentStore): RequestHandler {
  return (req, res, next) => {
    const proper = req.method === 'GET' || req.method === 'HEAD' ? properPath(req.path, content) : undefined;
    if (proper === undefined) return next();
    const query = req.originalUrl.indexOf('?');
    res.set('Cache-Control', 'no-cache');
    res.redirect(308, query === -1 ? proper : proper + req.originalUrl.slice(query));
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
/** How the service worker asks for it. What it keeps is shown with these headers, so they are those of every page. */
const SHELL_FILE = '/index.html';

interface PageContext {
  source: PageSource;
  options: WebOptions;
  cache: PageCache;
  askedPages: AskedPages;
}

async function answerShell(
  req: Request,
  res: Response,
  { source, options, cache }: PageContext,
): Promise<void> {
  const template = await source.template(req.originalUrl);
  setPageHeaders(res, template, options);
  res.set('X-Robots-Tag', 'noindex');
  if (options.mode === 'production')
    return sendKept(req, res, cache.find(SHELL) ?? cache.keep(SHELL, template));
  res.type('html').send(template);
}

async function answerPage(req: Request, res: Response, context: PageContext): Promise<void> {
  const { source, options, cache } = context;
  const match = matchPage(req.path);
  if (match && PAGES[match.name].render === 'shell') return answerShell(req, res, context);
  const template = await source.template(req.originalUrl);
  setPageHeaders(res, template, options);
  const kept = cache.find(req.originalUrl);
  if (kept) return sendKept(req, res, kept);
  await answerRendered(req, res, { ...context, template });
}

/** Renders the page unless nothing it shows has changed; one that asked the API nothing is the same for everybody. */
async function answerRendered(
  req: Request,
  res: Response,
  { source, options, cache, askedPages, template }: PageContext & { template: string },
): Promise<void> {
  const asking = askOnce(options.callApiFor?.(req) ?? options.callApi);
  const address = req.originalUrl;
  const unchanged = await askedPages.find(address, asking);
  if (unchanged) return sendAsked(req, res, unchanged);
  const render = await source.render();
  const page = await render({ url: urlOf(req, options.publicOrigin), callApi: asking.callApi });
  if (page.location !== undefined) {
    res.redirect(page.status, page.location);
    return;
  }
  if (page.status >= 400 && page.status !== 404)
    keepOut(res, (await asking.refusal())?.headers.get('retry-after'));
  if (page.status >= 400 && isbot(req.get('user-agent'))) {
    res.status(page.status).type('text/plain').send(statusMessage(page.status));
    return;
  }
  const html = documentOf(source, template, page, options);
  const mayKeep = page.status === 200 && options.mode === 'production';
  if (mayKeep && asking.count() > 0)
    return sendAsked(req, res, await askedPages.keep(address, { html, noindex: page.noindex }, asking));
  if (page.noindex) res.set('X-Robots-Tag', 'noindex');
  else if (mayKeep) return sendKept(req, res, cache.keep(address, html));
  res.status(page.status).type('html').send(html);
}

function sendAsked(req: Request, res: Response, page: AskedPage): Promise<void> {
  if (page.noindex) res.set('X-Robots-Tag', 'noindex');
  return sendKept(req, res, page);
}
