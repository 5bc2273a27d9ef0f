/**
 * How built code imports what it needs later. Browsers remember for the life of a page that a module could not be
 * fetched and never ask again, so nothing is imported before all of its files are known to be there: a part that is
 * missing while the network is away can still come. The import then asks the browser's cache for them a second time. A
 * link with `modulepreload`, or with `preload` as a script, would ask once, but Chromium 150 remembers the failure of either.
 * The HTML standard has stopped remembering failures in 2026; Chromium does so from version 156 and Firefox from 154. Once
 * the browsers that people use do, the bundler's own function can take this one's place.
 */
import { isApplicationKept } from '#client/start/kept-application.ts';

/** Sent to the window when code could not be had; who cancels it takes over, with a reload for one. */
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

/** The document asked for it: fetching it again would only take the time of the first rows. */
function isNamedByDocument(address: string): boolean {
  const name = CSS.escape(address);
  return document.querySelector(`link[href="${name}"], script[src="${name}"]`) !== null;
}

/** The parts of the PDF viewer are large, and come with the first PDF: the worker does not have them before (pdf-parts.ts). */
const LEFT_OUT = '/assets/pdf-';

/** The service worker answers for the page from the files of its build; asking it twice would only take time. */
function isKept(address: string): boolean {
  return !address.startsWith(LEFT_OUT) && isApplicationKept();
}

async function bring(address: string): Promise<void> {
  if (isNamedByDocument(address)) return;
  if (!isKept(address)) await fetchFile(address);
  if (address.endsWith('.css')) await applyStyles(address);
}

/** Like `bring`, once for each file; one that failed is asked for again. */
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
 * @throws when one of them cannot be fetched; the next call asks for it again
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
    // The page is being left; nothing comes of the import.
    return undefined;
  }
}
