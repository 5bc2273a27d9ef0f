// What pages look like where no script runs: a style that only such browsers read, so that it costs no script at all.
// The colours are a file of the build (shared/site/dark-styles.ts).

/**
 * Buttons that only script answers are not drawn, and what they would have folded out stands open: on phones the site's
 * menu, in the documentation the way to the list of all pages. In the earliest layer, because `hidden` is declared
 * `!important` in the layer after it, and among important rules the earlier layer wins.
 */
const STYLE = `@layer theme{
button[type=button]{display:none!important}
nav[hidden]{display:block!important}
nav noscript a{text-decoration:underline!important;line-height:3}
@media (width<48rem){
header{position:static!important}
#site-menu ul{display:flex;flex-wrap:wrap;gap:0 1.25rem}
#site-menu ul a{border:0!important}
}
@media (width>=48rem){#site-menu{display:none!important}}
}`;

/** For the head of a rendered page. */
export const WITHOUT_SCRIPT = `<noscript><style>${STYLE.replaceAll('\n', '')}</style></noscript>`;
