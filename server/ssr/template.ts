// Fills the template of public pages (client/page.html as built) and finds the inline scripts of a document. Pure text
// processing: independent of Express, routes and React.
import { createHash } from 'node:crypto';
import { DARK_WITHOUT_SCRIPT } from '#shared/site/dark-styles.ts';
import type { RenderedPage } from '#shared/site/render.ts';
import { WITHOUT_SCRIPT } from './without-script.ts';

const STYLESHEET = /<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/;
const FONT = /\/assets\/[\w.-]+\.woff2/g;
/** Speculation rules run no script, but need a hash all the same. */
const INLINE_SCRIPT = /<script(?: type="speculationrules")?>([\s\S]*?)<\/script>/g;

/** Hashes of the template's inline scripts in the form that Content-Security-Policy wants. */
export function scriptHashes(template: string): string[] {
  return [...template.matchAll(INLINE_SCRIPT)].map(
    ([, text]) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`,
  );
}

/**
 * The built template with its styles inside, so that no request blocks the first paint, and the web fonts requested before the
 * styles are parsed. It names the stylesheet of the application, for islands that render parts of it.
 */
export function withInlineStyles(
  template: string,
  { read, shell }: { read: (file: string) => string; shell: string },
): string {
  const [link = '', href = ''] = STYLESHEET.exec(template) ?? [];
  const [, whole = ''] = STYLESHEET.exec(shell) ?? [];
  const styles = read(href);
  const fonts = styles.match(FONT) ?? [];
  if (whole === '' || fonts.length === 0) throw new Error('The build has no stylesheet or no font');
  const preload = fonts
    .map(
      (font) =>
        `<link rel="preload" as="font" fetchpriority="high" type="font/woff2" crossorigin href="${font}">`,
    )
    .join('');
  const look = `<meta name="styles" content="${whole}"><style>${styles}</style>${DARK_WITHOUT_SCRIPT}`;
  return template.replace(link, () => preload + look);
}

export function fillTemplate(template: string, page: RenderedPage, extraHead: string): string {
  // Functions as replacements: page text may hold `$&` and friends.
  return template
    .replace('<!--head-->', () => page.head + extraHead + WITHOUT_SCRIPT)
    .replace('<!--app-->', () => page.body);
}
