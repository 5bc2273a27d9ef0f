// Common parts of every HTML response, for pages and errors alike: canonical address, headers, and the filled template.
import type { Request, Response } from 'express';
import { referrerPolicyOf } from '#shared/referrer-policy.ts';
import type { RenderedPage } from '#shared/site/render.ts';
import { contentSecurityPolicy } from './csp.ts';
import { fillTemplate, scriptHashes } from './template.ts';

export interface PagePlace {
  mode: 'development' | 'production';
  /** Scheme and host that visitors use, for canonical addresses. */
  publicOrigin: string;
  /** Scheme and host that accept newsletter sign-ups, when it is another one. */
  landingOrigin?: string | undefined;
}

/** Sets the headers of a document made from this template, for its address. */
export function setPageHeaders(
  res: Response,
  template: string,
  { mode, landingOrigin }: Pick<PagePlace, 'mode' | 'landingOrigin'>,
): void {
  res.set('Cache-Control', 'no-cache').vary('Accept-Encoding');
  res.set('Referrer-Policy', referrerPolicyOf(res.req.path));
  res.set(
    'Content-Security-Policy',
    contentSecurityPolicy({
      scriptHashes: scriptHashes(template),
      connect: landingOrigin === undefined ? [] : [landingOrigin],
      development: mode === 'development',
    }),
  );
}

/** A failure must not outlive its cause in any cache; a missing page sets its own headers. */
export function keepOut(res: Response, retryAfter: string | number | null | undefined): void {
  res.set('Cache-Control', 'no-store').set('X-Robots-Tag', 'noindex');
  if (retryAfter !== null && retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
}

export function documentOf(template: string, page: RenderedPage, place: PagePlace): string {
  return fillTemplate(template, page, landingMeta(place));
}

/** The address to which the newsletter form posts; the origin was checked with the configuration. */
function landingMeta({ landingOrigin }: PagePlace): string {
  return landingOrigin === undefined ? '' : `<meta name="landing" content="${landingOrigin}">`;
}

/** The requested address, at our own origin: a path that begins with two slashes would name another host. */
export function urlOf(req: Request, origin: string): string {
  const url = new URL(origin);
  url.pathname = req.path;
  const query = req.originalUrl.indexOf('?');
  if (query !== -1) url.search = req.originalUrl.slice(query);
  return url.href;
}
