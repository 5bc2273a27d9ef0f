/**
 * The one inline script of the product: it sets the colour mode before the first paint.
 * A constant, because the template and the hash in the Content-Security-Policy must be the very same text.
 */

/** Key in local storage; its value is light, dark or absent (follow the system). */
export const COLOR_MODE_KEY = 'loci-color-mode';

/** Browser chrome colours, equal to the canvas tokens in styles.css. */
export const THEME_COLORS = { light: '#ffffff', dark: '#0b111e' } as const;

/** Put verbatim into a `<script>` after `<meta name="theme-color">`; hash exactly this text. */
export const COLOR_MODE_SCRIPT =
  `(function(){var m;try{m=localStorage.getItem('${COLOR_MODE_KEY}')}catch(e){}` +
  `var d=m==='dark'||m!=='light'&&matchMedia('(prefers-color-scheme: dark)').matches;` +
  `document.documentElement.classList.toggle('dark',d);` +
  `var t=document.querySelector('meta[name="theme-color"]');` +
  `if(t)t.setAttribute('content',d?'${THEME_COLORS.dark}':'${THEME_COLORS.light}')})()`;
