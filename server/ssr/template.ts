// Fills the one HTML template (client/index.html as built) and says which inline scripts it holds.
// Pure text work: knows nothing of Express, routes or React.
import { createHash } from 'node:crypto';
import { DARK_WITHOUT_SCRIPT } from '#shared/site/dark-styles.ts';
import type { RenderedPage } from '#shared/site/render.ts';
import { WITHOUT_SCRIPT } from './without-script.ts';

// With the space around it: the browser's first element must be the page's, or hydration starts over.
const APP_MARK = /\s*<!--app-->[\s\S]*?<!--\/app-->\s*|\s*<!--app-->\s*/;
const STYLESHEET = /<link[^>]*rel="stylesheet"[^>]*>/g;
/** Rendered pages fetch the application when they have been painted; with them comes only what the entry imports. */
const SHELL_PRELOADS =
  /\s*<!--shell-->[\s\S]*?<!--\/shell-->|\s*<link[^>]*rel="modulepreload"[^>]*\bdata-shell\b[^>]*>/g;
const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g;

/** Hashes of the template's inline scripts in the form that Content-Security-Policy wants. */
export function scriptHashes(template: string): string[] {
  return [...template.matchAll(INLINE_SCRIPT)].map(
    ([, text]) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`,
  );
}

/** The whole stylesheet is needed when the visitor goes on into the application: the browser fetches it at leisure. */
function laterStyles(link: string): string {
  return `<meta name="styles" content="${/href="([^"]+)"/.exec(link)?.[1] ?? ''}">`;
}

/** Puts a rendered page into the template. `styles` replaces the stylesheet links when given, so that no request blocks the first paint. */
export function fillTemplate(
  template: string,
  page: RenderedPage,
  extraHead: string,
  styles?: string,
): string {
  const shell =
    styles === undefined ? template : template.replace(STYLESHEET, laterStyles).replace(SHELL_PRELOADS, '');
  const look = styles === undefined ? '' : `<style>${styles}</style>${DARK_WITHOUT_SCRIPT}`;
  const head = `${page.head}${extraHead}${look}${WITHOUT_SCRIPT}`;
  // Functions as replacements: page text may hold `$&` and friends.
  return shell
    .replace('<!--head-->', () => head)
    .replace(APP_MARK, () => page.body)
    .replace('<!--data-->', () => `<script type="application/json" id="page-data">${page.data}</script>`);
}
