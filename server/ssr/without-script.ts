// What pages look like where no script runs: styles that only such browsers read, so that they cost no script at all.
import { DARK_STYLES_PATH } from '#shared/site/dark-styles.ts';

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

/** The dark look where the system prefers it: a file of its own, since only few visitors need it. */
export const DARK_WITHOUT_SCRIPT = `<noscript><link rel="stylesheet" href="${DARK_STYLES_PATH}" media="(prefers-color-scheme:dark)"></noscript>`;

/** For the head of a rendered page. */
export const WITHOUT_SCRIPT = `<noscript><style>${STYLE.replaceAll('\n', '')}</style></noscript>`;
