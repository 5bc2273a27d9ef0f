/**
 * Modals of the dashboard, fetched after the first paint or on the first interaction. Their stores record keys pressed
 * before that, and the modals handle them once loaded.
 */
import { lazyPart } from '#client/ui/lazy-part.tsx';
import { whenScreenReadyOrUsed } from '#client/start/screen-ready.ts';
import { preloadMarkdown } from '#client/ui/lazy-markdown.tsx';

/** Nothing until it is loaded. */
export const LazyModals = lazyPart('dialogs', async () => {
  await whenScreenReadyOrUsed();
  const { DashboardModals } = await import('#client/layouts/dashboard-modals.tsx');
  const idle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 1_000));
  idle(() => void preloadMarkdown());
  return DashboardModals;
});

/** With the dialogs, so that it is on the device when access ends. */
export const LazyAccessEnded = lazyPart('this page', async () => {
  const { AccessEndedPage } = await import('#client/layouts/dashboard-modals.tsx');
  return AccessEndedPage;
});
