// Fills the template of public pages (client/page.html as built) and finds the inline scripts of a document. Pure text
// processing: independent of Express, routes and React.
import { createHash } from 'node:crypto';
import { DARK_WITHOUT_SCRIPT } from '#shared/site/dark-styles.ts';
import type { RenderedPage } from '#shared/site/render.ts';

const STYLESHEET = /<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/;
/** The fonts of every page; few pages have emphasis. */
const FONT = /\/assets\/(?![\w.-]*italic)[\w.-]+\.woff2/g;
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

/** The built template with its styles inside, so that no request blocks the first paint; web fonts are requested before the styles are read. */
export function withInlineStyles(template: string, read: (file: string) => string): string {
  const [link = '', href = ''] = STYLESHEET.exec(template) ?? [];
  if (href === '') throw new Error('The build has no stylesheet');
  const styles = read(href);
  const fonts = styles.match(FONT) ?? [];
  if (fonts.length === 0) throw new Error('The build has no font');
  const preload = fonts
    .map(
      (font) =>
        `<link rel="preload" as="font" fetchpriority="high" type="font/woff2" crossorigin href="${font}">`,
    )
    .join('');
  return template.replace(link, () => `${preload}<style>${styles}</style>${DARK_WITHOUT_SCRIPT}`);
}

export function fillTemplate(template: string, page: RenderedPage, extraHead: string): string {
  // Functions as replacements: page text may hold `$&` and friends.
  return template
    .replace('<!--head-->', () => page.head + extraHead + WITHOUT_SCRIPT)
    .replace('<!--app-->', () => page.body);
}

/**
 * For pages without scripts: only such browsers read it, so it costs no script at all. The colours are a file of the build
 * (shared/site/dark-styles.ts). Buttons that need script are hidden, and on phones the site's menu is open. In the earliest
 * layer, because among important rules the earlier layer wins.
 */
const STYLE = `@layer theme{
button[type=button]{display:none!important}
@media (width<48rem){
header{position:static!important}
#site-menu{display:block!important}
#site-menu ul{display:flex;flex-wrap:wrap;gap:0 1.25rem}
#site-menu ul a{border:0!important}
}
}`;

/** For the head of a rendered page. */
const WITHOUT_SCRIPT = `<noscript><style>${STYLE.replaceAll('\n', '')}</style></noscript>`;
