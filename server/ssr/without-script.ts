// A style sheet for pages without scripts, which only such browsers read, so that it costs no script at all.
// The colours are a file of the build (shared/site/dark-styles.ts).

/**
 * Buttons that need script are hidden, and on phones the site's menu is open. In the earliest layer, because among important
 * rules the earlier layer wins.
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
export const WITHOUT_SCRIPT = `<noscript><style>${STYLE.replaceAll('\n', '')}</style></noscript>`;
