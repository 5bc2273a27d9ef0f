/**
 * Entry of the application's shell. What is typed before the application is there is kept, so this part stays small and
 * fetches the rest.
 */
import { keepFirstSearch } from '#client/first-search.ts';
import { refuseForeignScripts } from '#client/trusted-types.ts';

refuseForeignScripts();
keepFirstSearch();
const { startApplication } = await import('#client/application.tsx');
startApplication();
