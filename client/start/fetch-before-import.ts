/**
 * How built code imports modules on demand. Browsers remember for the life of a page that a module could not be fetched and
 * never request it again, so a module is imported only after all of its files were fetched: a part that is missing while
 * offline can still be loaded later. The import then reads them a second time, from the browser's cache. A link with
 * `modulepreload`, or with `preload` as a script, would request them once, but Chromium 150 remembers the failure of either.
 * The HTML standard has stopped remembering failures in 2026; Chromium does so from version 156 and Firefox from 154. Once the
 * browsers that people use do, the bundler's own function can replace this one.
 */
import { isApplicationKept } from '#client/start/kept-application.ts';

/** Dispatched on the window when code could not be loaded; canceling it means that the listener handles the failure. */
export const MISSING_CODE_EVENT = 'loci:missing-code';

/** Files that are here, or on their way, by address. */
const files = new Map<string, Promise<void>>();

async function fetchFile(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
  // A response that was read to its end is in the browser's cache, where the import finds it.
  await response.blob();
}

function applyStyles(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${address} could not be applied`));
    });
    document.head.append(link);
  });
}

/** The document preloads it: fetching it again would only delay the first rows. */
function isNamedByDocument(address: string): boolean {
  const name = CSS.escape(address);
  return document.querySelector(`link[href="${name}"], script[src="${name}"]`) !== null;
}

/** The worker caches these with their first use: parts of the PDF viewer, which are large, and the scripts of public pages. */
const LEFT_OUT = ['/assets/pdf-', '/assets/site/'];

/** The service worker responds with the cached files of its build; requesting them twice would only cost time. */
function isKept(address: string): boolean {
  return !LEFT_OUT.some((start) => address.startsWith(start)) && isApplicationKept();
}

async function bring(address: string): Promise<void> {
  if (isNamedByDocument(address)) return;
  if (!isKept(address)) await fetchFile(address);
  if (address.endsWith('.css')) await applyStyles(address);
}

/** Like `bring`, once for each file; one that failed is requested again. */
function bringOnce(address: string): Promise<void> {
  let coming = files.get(address);
  if (!coming) {
    coming = bring(address);
    files.set(address, coming);
    coming.catch(() => files.delete(address));
  }
  return coming;
}

/**
 * The build puts it around every dynamic import.
 *
 * @param needed paths from the root of the site, without a slash at the beginning: the module's file and those it imports
 * @throws when one of them cannot be fetched; the next call requests it again
 */
export async function importFetched<T>(
  load: () => Promise<T>,
  needed: readonly string[] = [],
): Promise<T | undefined> {
  try {
    await Promise.all(needed.map((file) => bringOnce(`/${file}`)));
    return await load();
  } catch (error) {
    if (dispatchEvent(new Event(MISSING_CODE_EVENT, { cancelable: true }))) throw error;
    // The page is being left; the import never resolves to a module.
    return undefined;
  }
}
