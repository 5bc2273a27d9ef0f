// Pages that are the same for all visitors and change with the build only, cached with their compressed forms: only the first
// visitor waits for rendering. Pages of the database have their own rule (revalidated-pages.ts).
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** Pages with other queries count as other pages: a bound, so that no visitor can fill the memory with addresses. */
const MOST_PAGES = 200;
/** The year in the footer is part of a page. */
const KEPT_MS = 3_600_000;
/** Nearly as small as the best and twenty times as fast. */
const BROTLI_QUALITY = 9;
const GZIP_LEVEL = 7;

const FORMS = ['br', 'gzip'] as const;
type Form = (typeof FORMS)[number];

/** One page as it is sent; its compressed forms are created on first use. */
export interface KeptPage {
  html: string;
  tag: string;
  form(name: Form): Promise<Buffer>;
}

export interface PageCache {
  find(address: string): KeptPage | undefined;
  keep(address: string, html: string): KeptPage;
}

/** An empty cache. */
export function createPageCache(): PageCache {
  const pages = new Map<string, KeptPage & { until: number }>();
  return {
    find(address) {
      const page = pages.get(address);
      if (page && page.until > Date.now()) return page;
      pages.delete(address);
      return undefined;
    },
    keep(address, html) {
      const page = { ...keepPage(html, BROTLI_QUALITY), until: Date.now() + KEPT_MS };
      pages.set(address, page);
      const oldest = pages.keys().next().value;
      if (pages.size > MOST_PAGES && oldest !== undefined) pages.delete(oldest);
      return page;
    },
  };
}

/** A page with its tag; `quality` is how hard Brotli tries, from 0 to 11. */
export function keepPage(html: string, quality: number): KeptPage {
  const tag = createHash('sha256').update(html).digest('base64url').slice(0, 22);
  const forms = new Map<Form, Promise<Buffer>>();
  return {
    html,
    tag,
    form(name) {
      const known = forms.get(name) ?? compressed(html, name, quality);
      forms.set(name, known);
      return known;
    },
  };
}

function compressed(html: string, form: Form, quality: number): Promise<Buffer> {
  const source = Buffer.from(html);
  if (form === 'gzip') return promisify(gzip)(source, { level: GZIP_LEVEL });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: source.length,
  };
  return promisify(brotliCompress)(source, { params });
}

/** Sends a cached page in the smallest form that the browser accepts, or a 304 response. */
export async function sendKept(req: Request, res: Response, page: KeptPage): Promise<void> {
  const form = FORMS.find((name) => req.acceptsEncodings(name));
  res.set('ETag', `"${page.tag}${form ? `-${form}` : ''}"`);
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  res.type('html');
  if (form === undefined) {
    res.send(page.html);
    return;
  }
  const body = await page.form(form);
  res.set('Content-Encoding', form).send(body);
}
