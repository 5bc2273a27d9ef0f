// Reads Vite's build manifest: which files a page's modules need first.
// Knows the manifest's format only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Entry of the stylesheet that public pages carry. */
const PUBLIC_STYLES = 'public.css';

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    isEntry: z.boolean().optional(),
    imports: z.array(z.string()).optional(),
    dynamicImports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
    assets: z.array(z.string()).optional(),
  }),
);
export type Manifest = z.infer<typeof manifestSchema>;

export function readManifest(clientDir: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(clientDir, '.vite/manifest.json'), 'utf8')));
}

/**
 * Files of the application, which the entry starts, and of a page's modules with all they import before them, without what the entry loads at once.
 * The entry fetches them side by side when the page has been painted.
 */
export function laterModules(manifest: Manifest, modules: string[]): string {
  const entry = entryOf(manifest);
  const loaded = new Set(entry ? closure(manifest, [entry]) : []);
  const application = (entry && manifest[entry]?.dynamicImports) || [];
  const wanted = closure(manifest, [...application, ...modules]).filter((key) => !loaded.has(key));
  return `<meta name="modules" content="${wanted.map((key) => `/${manifest[key]?.file}`).join(' ')}">`;
}

/** Element that names the web font, which a rendered page draws with when it is there before the first paint. */
export function laterFont(manifest: Manifest): string {
  const entry = entryOf(manifest);
  const font = entry && manifest[entry]?.assets?.find((file) => file.endsWith('.woff2'));
  return font ? `<meta name="font" content="/${font}">` : '';
}

function entryOf(manifest: Manifest): string | undefined {
  return Object.keys(manifest).find((key) => manifest[key]?.isEntry && key !== PUBLIC_STYLES);
}

/** Text of the public styles and of those that the page's own modules bring, for inlining. */
export function inlineStyles(manifest: Manifest, modules: string[], clientDir: string): string {
  const own = closure(manifest, modules).flatMap((key) => manifest[key]?.css ?? []);
  const shared = manifest[PUBLIC_STYLES]?.file;
  const files = new Set([...(shared ? [shared] : []), ...own]);
  return [...files].map((file) => readFileSync(join(clientDir, file), 'utf8')).join('\n');
}

/** Keys of the roots and of what they import, each after its own imports. */
function closure(manifest: Manifest, roots: string[]): string[] {
  const seen = new Set<string>();
  const ordered: string[] = [];
  const visit = (key: string): void => {
    if (seen.has(key) || !manifest[key]) return;
    seen.add(key);
    manifest[key]?.imports?.forEach(visit);
    ordered.push(key);
  };
  roots.forEach(visit);
  return ordered;
}
