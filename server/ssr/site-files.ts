// Routes of the site that are not pages: feeds, sitemap, robots, llms.txt, Markdown forms, preview pictures, and the
// early-access form of visitors without JavaScript.
import express, { type Express, type Request, type Response as Answer } from 'express';
import { matchPage } from '#shared/page-match.ts';
import { NEWSLETTER_PATH } from '#shared/site/newsletter.ts';
import type { CallApi } from '#shared/site/render.ts';
import { redirectTo } from '../http/redirect.ts';
import type { ContentStore } from './content-store.ts';
import { blogFeed, llmsText, markdownOf, postLines, robots, sitemap, type SitemapEntry } from './feeds.ts';
import type { PreviewWords } from './og.ts';

export interface SiteFiles {
  origin: string;
  content: ContentStore;
  /** The API on behalf of who sends a request, so that its limits hold for forms too. */
  callApiFor: (req: Request) => CallApi;
  /** Public pages from the database. */
  sharedPages: () => Promise<SitemapEntry[]>;
  /** Words for the preview picture of a page that is no content, undefined when there is no such page. */
  sharedPreview: (path: string) => Promise<PreviewWords | undefined>;
}

const HOUR_SECONDS = 3600;
const REQUEST_ACCESS = '/request-access';

function sendText(res: Answer, type: string, text: string): void {
  res.set('Cache-Control', `public, max-age=${HOUR_SECONDS}`).type(type).send(text);
}

/** Mounts the routes; they come before static files and pages. */
export function mountSiteFiles(app: Express, files: SiteFiles): void {
  const { content, origin } = files;
  app.get('/robots.txt', (_req, res) => sendText(res, 'text/plain', robots(origin)));
  app.get('/llms.txt', (_req, res) => sendText(res, 'text/plain', llmsText(content, origin)));
  app.get('/feed.xml', (_req, res) =>
    sendText(res, 'application/atom+xml', blogFeed(content, origin).atom1()),
  );
  app.get('/feed.json', (_req, res) =>
    sendText(res, 'application/feed+json', blogFeed(content, origin).json1()),
  );
  app.get('/sitemap.xml', async (_req, res) => {
    const text = sitemap(content, origin, await files.sharedPages());
    // It lists shared content: what is no longer public disappears at the next request.
    res.set('Cache-Control', 'no-cache').type('application/xml').send(text);
  });
  app.get(/^\/(?:index|pricing|explore|(?:docs|blog)(?:\/.*)?)\.md$/, (req, res, next) => {
    const path = decodeURIComponent(req.path).slice(0, -'.md'.length);
    const document = content.find(path === '/index' ? '/' : path);
    if (!document) return next();
    res.set('Link', `<${origin}${document.path}>; rel="canonical"`);
    const posts = path === '/blog' ? postLines(content, origin) : [];
    sendText(res, 'text/markdown; charset=utf-8', [markdownOf(document), ...posts].join('\n'));
  });
  app.get(`${REQUEST_ACCESS}.md`, (_req, res) => {
    res.set('Link', `<${origin}${REQUEST_ACCESS}>; rel="canonical"`);
    sendText(res, 'text/markdown; charset=utf-8', requestAccessText(origin));
  });
  app.get(/^\/og\/.+\.png$/, async (req, res, next) => {
    const name = decodeURIComponent(req.path).slice('/og'.length, -'.png'.length);
    const words = await wordsFor(name, files);
    if (!words) return next();
    // Drawing takes large libraries, which a server without visitors never loads.
    const { previewPicture } = await import('./og.ts');
    const { png, tag } = await previewPicture(words);
    // Shared content may be private at the next request; the site's own pages stay.
    const isShared = matchPage(name)?.name.startsWith('public_');
    res.set('Cache-Control', isShared ? 'no-cache' : `public, max-age=${HOUR_SECONDS}`);
    res.set('ETag', `"${tag}"`).type('png');
    if (req.fresh) res.status(304).end();
    else res.send(png);
  });
  mountForm(app, files.callApiFor);
}

/** The page is a form; as text it gives the address and the fields of the form. */
function requestAccessText(origin: string): string {
  return [
    '# Request access',
    '> Leave your address and an invite will follow.',
    `The form is at <${origin}${REQUEST_ACCESS}>. It takes one field: \`email\`. It can be sent without JavaScript.`,
    'Already have an account? [Log in](/login)',
    '',
  ].join('\n\n');
}

async function wordsFor(
  name: string,
  { content, sharedPreview }: SiteFiles,
): Promise<PreviewWords | undefined> {
  const path = name === '/home' ? '/' : name;
  if (path === REQUEST_ACCESS)
    return { title: 'Request access', text: 'Leave your address and an invite will follow.' };
  const document = content.find(path);
  if (!document) return sharedPreview(path);
  const eyebrow = document.kind === 'doc' ? 'Documentation' : document.kind === 'post' ? 'Blog' : '';
  return { title: document.title, text: document.description, eyebrow };
}

/** With JavaScript the form calls the API; without it the browser posts here and is redirected to a page with the result. */
function mountForm(app: Express, callApiFor: SiteFiles['callApiFor']): void {
  app.post(REQUEST_ACCESS, express.urlencoded({ extended: false, limit: '4kb' }), async (req, res) => {
    redirectTo(res, 303, `${REQUEST_ACCESS}?registered=${await register(req, callApiFor(req))}`);
  });
}

async function register(req: Request, callApi: CallApi): Promise<'ok' | 'invalid' | 'error'> {
  const { email, website, news }: { email?: unknown; website?: unknown; news?: unknown } = req.body ?? {};
  try {
    await callApi('POST', NEWSLETTER_PATH, { email, ...(website ? { website } : {}), news: news === 'true' });
    return 'ok';
  } catch (error) {
    if (!(error instanceof Response) || error.status >= 500) throw error;
    return error.status === 429 ? 'error' : 'invalid';
  }
}
