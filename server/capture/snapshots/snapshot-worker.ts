// The process in which pages become files. It asks the server for a page's resources, which fetches them.
import { serveInBackground } from '../../jobs/serve-parent.ts';
import type { PageSource } from '../page-text.ts';
import { makeSnapshot } from './make-snapshot.ts';
import type { Resource } from './page-resource.ts';

serveInBackground(async (source: PageSource, ask) => ({
  html: await makeSnapshot(source, async (address) => (await ask(address)) as Resource | undefined),
}));
