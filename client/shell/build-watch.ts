/**
 * Updates a long-open page to the newest build: reloads once when a script chunk is missing or the server has a newer
 * build. Never while something is unsaved or the reader is typing: then it only announces that an update is ready.
 */
import { createStore, useStore } from '#client/shell/external-store.ts';
import { BUILD_CHECK_FIRST_MS, BUILD_CHECK_INTERVAL_MS } from '#client/ui/timing.ts';
import { claimReload } from '#client/shell/reload-guard.ts';
import { MISSING_CODE_EVENT } from '#client/start/fetch-before-import.ts';
import { isApplicationKept } from '#client/start/kept-application.ts';
import { hasUnsaved, onAllSaved } from '#client/shell/unsaved.ts';

export interface BuildWatch {
  /** Build of the running page; the watch for newer ones rests where it is undefined (development). */
  build: string | undefined;
  /** Where the reader is going while a navigation is under way, else where he is. */
  pendingPath: () => string;
  /** Loads the path again; may first activate a waiting service worker. */
  load: (path: string) => void;
  /** Returns the newest build, or undefined when it cannot be known now (offline). */
  latest?: () => Promise<string | undefined>;
  /** False for a page that a reload would lose while the server is unreachable: one without a service worker. */
  survivesReload?: () => boolean;
}

const updateStore = createStore(false);
let current: BuildWatch | undefined;

async function fetchLatest(): Promise<string | undefined> {
  try {
    const response = await fetch('/build.json', { cache: 'no-store' });
    if (!response.ok) return undefined;
    const answer: unknown = await response.json();
    const build: unknown =
      typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'build') : undefined;
    return typeof build === 'string' ? build : undefined;
  } catch {
    // Offline, or a captive portal's page instead of JSON: the next check is in an hour.
    return undefined;
  }
}

function isReaderBusy(): boolean {
  if (hasUnsaved()) return true;
  const active = document.activeElement;
  return (
    active instanceof HTMLElement && (active.isContentEditable || active.matches('input, textarea, select'))
  );
}

function reload(): boolean {
  if (!current || isReaderBusy()) return false;
  const path = current.pendingPath();
  if (!claimReload(path)) return false;
  current.load(path);
  return true;
}

async function check(): Promise<void> {
  if (!current) return;
  const latest = await (current.latest ?? fetchLatest)();
  if (latest === undefined || current?.build === undefined || latest === current.build) return;
  updateStore.set(true);
  reload();
}

function onMissingCode(event: Event): void {
  // Without a way to survive the reload, it first checks that the server is reachable and has a newer build.
  if (!(current?.survivesReload ?? isApplicationKept)()) return void check();
  // Only a reload that happens hides the error; otherwise the error page must show it.
  if (reload()) event.preventDefault();
  else updateStore.set(true);
}

/** Applies a waiting build if nothing unsaved would be lost: called where a pause is natural, after a navigation for one. */
export function applyWhenIdle(): void {
  if (updateStore.get()) reload();
}

/** Starts watching; returns the function that stops it. Call once at start in the browser. */
export function startBuildWatch(watch: BuildWatch): () => void {
  current = watch;
  updateStore.set(false);
  const first = setTimeout(() => void check(), BUILD_CHECK_FIRST_MS);
  const hourly = setInterval(() => void check(), BUILD_CHECK_INTERVAL_MS);
  const forget = onAllSaved(applyWhenIdle);
  globalThis.addEventListener(MISSING_CODE_EVENT, onMissingCode);
  document.addEventListener('visibilitychange', applyWhenIdle);
  return () => {
    clearTimeout(first);
    clearInterval(hourly);
    forget();
    globalThis.removeEventListener(MISSING_CODE_EVENT, onMissingCode);
    document.removeEventListener('visibilitychange', applyWhenIdle);
    current = undefined;
  };
}

/** Announces that a new build is waiting, for example when a service worker is installed. */
export function announceUpdate(): void {
  updateStore.set(true);
}

/** Applies the waiting build now, at the reader's request. */
export function applyUpdate(): void {
  current?.load(current.pendingPath());
}

/** Whether a newer build waits. */
export function useUpdateAvailable(): boolean {
  return useStore(updateStore);
}
