// Entry of the browser. A page that the server rendered can be read, and its links and forms work, before any script: there
// the application waits for the first paint and a quiet moment, or for the first thing the visitor does. The shell has
// nothing to show without it and starts at once.
import { afterFirstPaint, keepFirstActions } from '#client/first-actions.ts';
import { keepFirstSearch } from '#client/first-search.ts';
import { start, startGently } from '#client/lazy-application.ts';
import { refuseForeignScripts } from '#client/trusted-types.ts';

refuseForeignScripts();
if (document.querySelector('#page-data')) afterFirstPaint(keepFirstActions(startGently));
else {
  keepFirstSearch();
  void start();
}
