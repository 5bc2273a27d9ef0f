// Where pages come from: the built bundle in production. Development has its own source with the same shape (vite-source.ts).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RenderPage } from '#shared/site/render.ts';
import { inlineStyles, laterFont, laterModules, readManifest } from './manifest.ts';

/** Template, renderer and first files of a page. */
export interface PageSource {
  template(url: string): Promise<string>;
  render(): Promise<RenderPage>;
  /** Element of the head that names the files which the page's script fetches later. */
  later(modules: string[]): string;
  /** Text of the styles to inline, or undefined to keep the template's links. */
  styles(modules: string[]): string | undefined;
  close(): Promise<void>;
}

export const distDir = fileURLToPath(new URL('../../dist/', import.meta.url));
export const clientDir = join(distDir, 'client');
/** The list of documents, as built and as Vite keeps it while developing. */
export const builtContent = join(distDir, 'server/content.json');
export const developmentContent = fileURLToPath(
  new URL('../../client/.content-collections/site/sources.json', import.meta.url),
);

/** Reads the build once; answers from memory afterwards. */
export async function loadBuilt(): Promise<PageSource> {
  const template = readFileSync(join(clientDir, 'index.html'), 'utf8');
  const manifest = readManifest(clientDir);
  const bundle: { render: RenderPage } = await import(pathToFileURL(join(distDir, 'server/server.js')).href);
  const cache = new Map<string, { later: string; styles: string }>();
  const filesOf = (modules: string[]) => {
    const key = modules.join();
    const known = cache.get(key);
    if (known) return known;
    const files = {
      later: laterModules(manifest, modules) + laterFont(manifest),
      styles: inlineStyles(manifest, modules, clientDir),
    };
    cache.set(key, files);
    return files;
  };
  return {
    template: async () => template,
    render: async () => bundle.render,
    later: (modules) => filesOf(modules).later,
    styles: (modules) => filesOf(modules).styles,
    close: async () => {},
  };
}
