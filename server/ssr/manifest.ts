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
    css: z.array(z.string()).optional(),
  }),
);
export type Manifest = z.infer<typeof manifestSchema>;

export function readManifest(clientDir: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(clientDir, '.vite/manifest.json'), 'utf8')));
}

/** Preload links for the modules of a page and all they import, without what the entry already loads. */
export function preloadLinks(manifest: Manifest, modules: string[]): string {
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry && key !== PUBLIC_STYLES);
  const loaded = new Set(entry ? closure(manifest, [entry]) : []);
  const wanted = closure(manifest, modules).filter((key) => !loaded.has(key));
  return wanted
    .map((key) => `<link rel="modulepreload" crossorigin href="/${manifest[key]?.file}">`)
    .join('');
}

/** Text of the public styles and of those that the page's own modules bring, for inlining. */
export function inlineStyles(manifest: Manifest, modules: string[], clientDir: string): string {
  const own = closure(manifest, modules).flatMap((key) => manifest[key]?.css ?? []);
  const shared = manifest[PUBLIC_STYLES]?.file;
  const files = new Set([...(shared ? [shared] : []), ...own]);
  return [...files].map((file) => readFileSync(join(clientDir, file), 'utf8')).join('\n');
}

function closure(manifest: Manifest, roots: string[]): string[] {
  const seen = new Set<string>();
  const visit = (key: string): void => {
    if (seen.has(key) || !manifest[key]) return;
    seen.add(key);
    manifest[key]?.imports?.forEach(visit);
  };
  roots.forEach(visit);
  return [...seen];
}
