// Where the builds of the client read and write.
import { fileURLToPath } from 'node:url';

export const inClient = (path: string): string =>
  fileURLToPath(new URL(path, new URL('../', import.meta.url)));

export const clientOut = inClient('../dist/client');

/** Documents of the site, as written by the content plugin. */
export const contentFile = inClient('.content-collections/site/sources.json');
