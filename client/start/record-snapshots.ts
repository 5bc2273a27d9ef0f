/**
 * Takes the snapshots of lists, while they are shown and the page is idle: the next start shows them before the application
 * runs. Reads the page only.
 */
import { COOKIES, INSTALLED_START } from '#shared/constants.ts';
import { matchPage } from '#shared/page-match.ts';
import type { PageName } from '#shared/pages.ts';
import { readCookie } from '#client/api/cookies.ts';
import { whenIdle } from '#client/start/quiet-moment.ts';
import { whenScreenReady } from '#client/start/screen-ready.ts';
import { removeSnapshots, storeSnapshot } from '#client/start/snapshot-store.ts';
import { readSnapshot } from '#client/start/snapshot-tree.ts';

/** The page is quiet when nothing has changed for so long. */
const QUIET_MS = 1_000;
/** Pages that begin with a list of memories. */
const LISTS: ReadonlySet<PageName> = new Set(['workspace_home', 'space']);
/** Characters of the rows of a snapshot. */
const MAX_ROWS_LENGTH = 200_000;
/** Query parameters that show something else over or instead of the list. */
const OVER_LIST = ['memory', 'q', 'new'];
/** Overlays, and elements that only belong to a moment of the list. */
const PASSING = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="toolbar"], [aria-busy="true"]';
/** Parts of the application in a snapshot: no messages and no dialogs. */
const SCREEN = '#root [data-snapshot], #root [data-bottom-bar]';

/** Addresses at which the list that is shown now is what a start shows. */
function addressesOfList(): string[] {
  const { pathname, search } = location;
  const page = matchPage(pathname)?.name;
  const params = new URLSearchParams(search);
  if (page === undefined || !LISTS.has(page) || OVER_LIST.some((name) => params.has(name))) return [];
  const isHome = page === 'workspace_home' && search === '';
  return [pathname + search, ...(isHome ? [INSTALLED_START] : [])];
}

/** Only the top of a list with nothing over it. */
function isAtRest(): boolean {
  const hasList = document.querySelector('#root [data-collection] [data-item]') !== null;
  return hasList && scrollY === 0 && document.querySelector(PASSING) === null;
}

/** Memories of the list, from the top. */
function shownItems(): string[] {
  const items = document.querySelectorAll<HTMLElement>('#root [data-collection] [data-item]');
  return [...items].flatMap(({ dataset }) => dataset['item'] ?? []);
}

async function take({ token, rowsOf }: RecordedPage, build: string): Promise<void> {
  const addresses = addressesOfList();
  if (addresses.length === 0 || !isAtRest()) return;
  const rows = JSON.stringify(rowsOf(shownItems()));
  const snapshot = {
    build,
    width: innerWidth,
    nodes: readSnapshot(document.querySelectorAll(SCREEN)),
    // Too many of them would take longer to read than the device does.
    rows: rows.length <= MAX_ROWS_LENGTH ? rows : 'null',
  };
  await storeSnapshot(token, addresses, snapshot);
  // The session may have ended meanwhile, in another tab.
  if (readCookie(COOKIES.session) !== token) await removeSnapshots();
}

/** A page whose screens are recorded. */
export interface RecordedPage {
  /** Session that the snapshots belong to. */
  token: string;
  /** What a list of these memories is drawn from; it is stored as JSON. */
  rowsOf(memoryIds: readonly string[]): unknown;
}

/** Starts recording; returns a function that stops it. Never call it for a page that impersonates another person. */
export function recordSnapshots(page: RecordedPage): () => void {
  const build = document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  if (build === undefined || !globalThis.caches) return () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new AbortController();
  const { signal } = end;
  const takeNow = () => {
    timer = undefined;
    if (signal.aborted) return;
    take(page, build).catch((error: unknown) => console.info('start: no snapshot was taken', error));
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => whenIdle(takeNow), QUIET_MS);
  };
  // Later there may be no idle moment any more.
  const onHidden = () => {
    if (document.visibilityState !== 'hidden' || timer === undefined) return;
    clearTimeout(timer);
    takeNow();
  };
  const observer = new MutationObserver(changed);
  const begin = () => {
    const root = document.querySelector('#root');
    if (signal.aborted || !root) return;
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    root.addEventListener('input', changed, { signal });
    changed();
  };
  void whenScreenReady().then(begin);
  addEventListener('resize', changed, { signal });
  document.addEventListener('visibilitychange', onHidden, { signal });
  return () => {
    end.abort();
    clearTimeout(timer);
    observer.disconnect();
  };
}
