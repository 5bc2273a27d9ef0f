/**
 * Entry of the application's shell. Keys typed before the application has loaded are stored, so this part stays small and
 * fetches the rest.
 */
import { keepFirstSearch } from '#client/start/first-search.ts';
import { watchFirstScreen } from '#client/start/screen-ready.ts';
import { refuseForeignScripts } from '#client/trusted-types.ts';

refuseForeignScripts();
keepFirstSearch();
// The application takes longer to start than the snapshot of its last screen to be painted. Without await at the top
// level: the bundler leaves empty files of entries in a build in which any module has one.
void watchFirstScreen()
  .then(() => import('#client/application.tsx'))
  .then(({ startApplication }) => startApplication());
