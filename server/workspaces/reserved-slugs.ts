// First path segments that already lead somewhere else: what a workspace of that name could never be reached under. They
// are derived from the table of pages and from the files that are served beside them, so that a new page or folder
// reserves its name by being there.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { RESERVED_WORKSPACE_SLUGS } from '#shared/constants.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { PAGES } from '#shared/pages.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Files at the root of the site: those of the source, and those that the build adds. */
const FOLDERS = [path.join(ROOT, 'client/public'), path.join(ROOT, 'dist/client')];

/** True when an address at the root of the site is used by the product itself. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED_WORKSPACE_SLUGS.has(slug) || reserved().has(slug);
}

let derived: ReadonlySet<string> | undefined;

function reserved(): ReadonlySet<string> {
  derived ??= new Set([...segments(), ...FOLDERS.flatMap(namesIn)]);
  return derived;
}

function segments(): string[] {
  const paths = [...Object.values(PAGES), ...Object.values(ENDPOINTS)].map((row) => row.path);
  return paths.map((address) => address.split('/')[1] ?? '').filter((segment) => !/^$|[:{*]/.test(segment));
}

/** A file reserves its name without the extension too: `sitemap` for `sitemap.xml`. */
function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => [name, path.parse(name).name]);
}
