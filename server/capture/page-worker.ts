// The process that reads pages and feeds, and makes snapshots of pages: one for all, because its libraries are most of its
// memory. It asks the server for the resources of a page, which fetches them.
import { serveParent } from '../jobs/serve-parent.ts';
import { readFeed } from './feeds/feed-text.ts';
import type { PageTask } from './page-process.ts';
import { readPage } from './page-text.ts';
import { makeSnapshot } from './snapshots/make-snapshot.ts';
import type { Resource } from './snapshots/page-resource.ts';

serveParent(async ({ task, source }: PageTask, ask) => {
  if (task === 'page') return readPage(source);
  if (task === 'feed') return readFeed(source);
  return {
    html: await makeSnapshot(source, async (address) => (await ask(address)) as Resource | undefined),
  };
});
