/**
 * The one inline script of the product: before the first paint it sets the colour mode, and marks the document of a
 * signed-in person, for whom the public pages lead to the workspace.
 * A constant, because the template and the hash in the Content-Security-Policy must be the very same text.
 */
import { COOKIES } from '#shared/constants.ts';

/** Key in local storage; its value is light, dark or absent (follow the system). */
export const COLOR_MODE_KEY = 'loci-color-mode';

/** Browser chrome colours, equal to the paper tokens in styles.css. */
export const THEME_COLORS = { light: '#fdfefe', dark: '#0d1420' } as const;

/** Put verbatim into a `<script>` after `<meta name="theme-color">`; hash exactly this text. */
export const FIRST_PAINT_SCRIPT =
  `(function(){var m;try{m=localStorage.getItem('${COLOR_MODE_KEY}')}catch(e){}` +
  `var d=m==='dark'||m!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches;` +
  `var h=document.documentElement;h.classList.toggle('dark',d);` +
  `h.toggleAttribute('data-signed-in',/(^|; )${COOKIES.session}=./.test(document.cookie));` +
  `var t=document.querySelector('meta[name="theme-color"]');` +
  `if(t)t.setAttribute('content',d?'${THEME_COLORS.dark}':'${THEME_COLORS.light}')})()`;
