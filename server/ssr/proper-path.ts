// The one spelling of each address of the site: without a slash at its end and in lower case. What people share has its
// own rule (its loaders know the present address), and the application's addresses are its router's.
import { PAGES } from '#shared/pages.ts';
import type { ContentStore } from './content-store.ts';

/** Pages of the site that are no documents. */
const FIXED: ReadonlySet<string> = new Set(
  Object.values(PAGES).flatMap(({ path, render }) => (render === 'ssr' && !/[:*]/.test(path) ? [path] : [])),
);

/** The address of a page that was requested in another spelling; undefined for correct addresses and those of no page. */
export function properPath(path: string, content: ContentStore): string | undefined {
  const proper = path.replace(/\/+$/, '').toLowerCase() || '/';
  if (proper === path) return undefined;
  return FIXED.has(proper) || content.find(proper) ? proper : undefined;
}
