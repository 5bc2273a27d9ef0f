/**
 * The loading bar of public pages: it starts when the browser begins to load another page and ends with it, or when that
 * fails. Its times are those of the store.
 */
import {
  failLoadingBar,
  finishLoadingBar,
  loadingBarStore,
  startLoadingBar,
} from '#client/shell/loading-bar-store.ts';

/** The used part of the Navigation API; browsers without it show only their own progress. */
interface Navigation extends EventTarget {
  readonly transition: unknown;
}

interface NavigateEvent extends Event {
  readonly downloadRequest: string | null;
  readonly destination: { readonly sameDocument: boolean; readonly url: string };
}

/** Feeds and pages as text: the browser may download such a file and stay on the page. */
const isFile = (url: string): boolean => /\.\w+$/.test(new URL(url).pathname);

const isNavigate = (event: Event): event is NavigateEvent => 'destination' in event;

function draw(track: HTMLElement): void {
  const { visible, progress, failed } = loadingBarStore.get();
  track.style.opacity = visible ? '1' : '0';
  track.toggleAttribute('data-failed', failed);
  const bar = track.firstElementChild;
  if (bar instanceof HTMLElement) bar.style.transform = `scaleX(${progress / 100})`;
}

/** From now on; the page that is being loaded itself counts until it is complete. */
export function watchPageLoading(): void {
  const track = document.querySelector<HTMLElement>('[data-testid="loading-bar"]');
  if (!track) return;
  loadingBarStore.subscribe(() => draw(track));
  if (document.readyState !== 'complete') {
    startLoadingBar();
    addEventListener('load', finishLoadingBar, { once: true });
  }
  const navigation: Navigation | undefined = Reflect.get(globalThis, 'navigation');
  navigation?.addEventListener('navigate', (event) => {
    if (!isNavigate(event) || event.downloadRequest !== null) return;
    const { sameDocument, url } = event.destination;
    if (!sameDocument && !isFile(url)) startLoadingBar();
  });
  navigation?.addEventListener('navigateerror', () => {
    failLoadingBar();
    finishLoadingBar();
  });
  // A page restored from the back/forward cache is in the state in which it was left: loading.
  addEventListener('pageshow', ({ persisted }) => persisted && finishLoadingBar());
}
