// Where pages come from: the built bundle in production. Development has its own source with the same shape (vite-source.ts).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RenderPage } from '#shared/site/render.ts';
import { withInlineStyles } from './template.ts';

export interface PageSource {
  /** The document of the application, which is the same for all its pages. */
  shell(url: string): Promise<string>;
  /** The document of public pages, with places for head and body. */
  template(url: string): Promise<string>;
  render(): Promise<RenderPage>;
  close(): Promise<void>;
}

const distDir = fileURLToPath(new URL('../../dist/', import.meta.url));
export const clientDir = join(distDir, 'client');
/** The list of documents, as built and as Vite writes it in development. */
export const builtContent = join(distDir, 'server/content.json');
export const developmentContent = fileURLToPath(
  new URL('../../client/.content-collections/site/sources.json', import.meta.url),
);

/** Reads the build once; later calls use memory. */
export async function loadBuilt(): Promise<PageSource> {
  const read = (file: string): string => readFileSync(join(clientDir, file), 'utf8');
  const shell = read('index.html');
  const template = withInlineStyles(read('page.html'), read);
  const bundle: { render: RenderPage } = await import(pathToFileURL(join(distDir, 'server/server.js')).href);
  return {
    shell: async () => shell,
    template: async () => template,
    render: async () => bundle.render,
    close: async () => {},
  };
}
