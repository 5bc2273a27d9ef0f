/**
 * The promise that the page never reloads itself twice within ten seconds on the same path.
 * Remembers in session storage, so that it holds across the reload and per tab.
 */
import { RELOAD_GUARD_MS } from '#client/ui/timing.ts';

const KEY = 'loci-reload';

interface LastReload {
  path: string;
  at: number;
}

function readLast(storage: Storage): LastReload | undefined {
  const text = storage.getItem(KEY);
  if (text === null) return undefined;
  const cut = text.indexOf(' ');
  return { at: Number(text.slice(0, cut)), path: text.slice(cut + 1) };
}

/** True at most once per path and ten seconds; false too where storage is blocked, since a loop would be worse. */
export function claimReload(path: string, now: number = Date.now()): boolean {
  try {
    const last = readLast(sessionStorage);
    if (last && last.path === path && now - last.at < RELOAD_GUARD_MS) return false;
    sessionStorage.setItem(KEY, `${now} ${path}`);
    return true;
  } catch {
    return false;
  }
}
