/**
 * The third inline script of the template, in the shell only: a signed-in person is on the way to a first list, so the
 * browser fetches its files while it still reads the entry. Others see a form and need none of them.
 * A constant, because the template and the hash in the Content-Security-Policy must be the very same text.
 */
import { COOKIES } from '#shared/constants.ts';

/** Put verbatim into a `<script>` after `<meta name="first-list">`, which names the files. */
export const FIRST_LIST_SCRIPT =
  `(function(){if(!/(?:^|; )${COOKIES.session}=/.test(document.cookie))return;` +
  `document.querySelector('meta[name="first-list"]').content.split(' ').forEach(function(f){` +
  `var l=document.createElement('link');l.rel='modulepreload';l.crossOrigin='';l.href=f;` +
  `document.head.append(l)})})()`;
