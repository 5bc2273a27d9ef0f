// Pages that are the same for everybody and change with the build only, kept with their compressed forms: the second
// visitor waits for no rendering. What a page of the database shows is never kept, so nothing outlives its visibility.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** Pages with other queries count as other pages: a bound, so that nobody fills the memory with addresses. */
const MOST_PAGES = 200;
/** The year in the footer is part of a page. */
const KEPT_MS = 3_600_000;
/** Nearly as small as the best and twenty times as fast. */
const BROTLI_QUALITY = 9;

/** One page as it is sent. */
export interface KeptPage {
  html: string;
  tag: string;
  until: number;
  forms: Promise<{ br: Buffer; gzip: Buffer }>;
}

export interface PageCache {
  find(address: string): KeptPage | undefined;
  keep(address: string, html: string): KeptPage;
}

/** An empty cache. `now` is the clock in milliseconds. */
export function createPageCache(now: () => number = Date.now): PageCache {
  const pages = new Map<string, KeptPage>();
  return {
    find(address) {
      const page = pages.get(address);
      if (page && page.until > now()) return page;
      pages.delete(address);
      return undefined;
    },
    keep(address, html) {
      const tag = createHash('sha256').update(html).digest('base64url').slice(0, 22);
      const page = { html, tag, until: now() + KEPT_MS, forms: compressed(html) };
      pages.set(address, page);
      const oldest = pages.keys().next().value;
      if (pages.size > MOST_PAGES && oldest !== undefined) pages.delete(oldest);
      return page;
    },
  };
}

async function compressed(html: string): Promise<{ br: Buffer; gzip: Buffer }> {
  const source = Buffer.from(html);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(source, { params }),
    promisify(gzip)(source, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { br, gzip: gz };
}

/** Sends a kept page in the smallest form that the browser takes, or says that it has it already. */
export async function sendKept(req: Request, res: Response, page: KeptPage): Promise<void> {
  const form = (['br', 'gzip'] as const).find((name) => req.acceptsEncodings(name));
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
  const body = (await page.forms)[form];
  res.set('Content-Encoding', form).send(body);
}
