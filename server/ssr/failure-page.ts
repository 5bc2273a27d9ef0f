// The error page for a request that failed on the server's side of rendering: the database is unavailable, the address is
// malformed, a fault. It is made of the failure's message alone and calls nothing, so it works when nothing else does.
import type { Request, Response } from 'express';
import { isbot } from 'isbot';
import { ERRORS, type AppError } from '#shared/errors.ts';
import { documentOf, keepOut, setPageHeaders, urlOf, type PagePlace } from './page-answer.ts';
import type { PageSource } from './page-source.ts';

/** Responds to a failure with the error page; false when the caller wanted no page, and nothing was sent. */
export type ShowFailure = (req: Request, res: Response, failure: AppError) => Promise<boolean>;

/** Addresses that programs call, whatever their Accept header says. */
const NO_PAGES = /^\/(?:v1|mcp|metrics|\.well-known|assets)(?:\/|$)|\.[^/]*$/;

/** A browser that opens a page or sends a form of one. */
function wantsPage(req: Request): boolean {
  if (NO_PAGES.test(req.path) || !req.get('accept')?.includes('text/html')) return false;
  return req.method === 'GET' || req.method === 'HEAD' || req.is('urlencoded') !== false;
}

/** Builds the answer from the built pages. */
export function createFailurePage(source: PageSource, place: PagePlace): ShowFailure {
  return async (req, res, failure) => {
    if (!wantsPage(req)) return false;
    const { status, code, detail, retryAfter } = failure;
    const { message } = ERRORS[code];
    if (isbot(req.get('user-agent'))) {
      keepOut(res, retryAfter);
      res.status(status).type('text/plain').send(message);
      return true;
    }
    const url = urlOf(req, place.publicOrigin);
    const render = await source.render();
    const template = await source.template(req.originalUrl);
    const ask = () => Promise.reject(new Error('The error page asks nothing'));
    const markdown = { trees: ask, sources: ask };
    const page = await render({ url, callApi: ask, markdown, failure: { status, message, detail } });
    const html = documentOf(template, page, place);
    setPageHeaders(res, template, place);
    keepOut(res, retryAfter);
    res.status(status).type('html').send(html);
    return true;
  };
}
