/**
 * The second inline script of the template: on a rendered page it declares the web font before the first paint where the
 * service worker has it, which is from the second visit on. The first visit paints in the fallback and stays with it.
 * A constant, because the template and the hash in the Content-Security-Policy must be the very same text.
 */

/** Put verbatim into a `<script>` after what the server adds to the head; does nothing in the shell, whose styles have the font. */
export const WEB_FONT_SCRIPT =
  `(function(){var m=document.querySelector('meta[name="font"]'),w=navigator.serviceWorker;` +
  `if(!m||!w||!w.controller)return;` +
  `var f=new FontFace('Inter Variable','url('+m.content+')',{weight:'100 900',display:'optional'});` +
  `document.fonts.add(f);f.load().catch(function(){})})()`;
