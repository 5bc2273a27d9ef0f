// The thread in which one page becomes a file. It requests the page's resources on a port from the server, which fetches them.
import type { MessagePort } from 'node:worker_threads';
import { serveParent } from '../../jobs/serve-parent.ts';
import type { PageSource } from '../page-text.ts';
import { makeSnapshot } from './make-snapshot.ts';
import type { LoadResource, Resource, ResourceReply, ResourceRequest } from './page-resource.ts';

serveParent(async ({ source, port }: { source: PageSource; port: MessagePort }) => {
  const waiting = new Map<number, (resource: Resource | undefined) => void>();
  port.on('message', ({ id, resource }: ResourceReply) => {
    waiting.get(id)?.(resource);
    waiting.delete(id);
  });

  let requests = 0;
  const load: LoadResource = (address) =>
    new Promise((resolve) => {
      requests += 1;
      waiting.set(requests, resolve);
      const request: ResourceRequest = { id: requests, ...address };
      port.postMessage(request);
    });

  const html = await makeSnapshot(source, load);
  return html === undefined ? undefined : Buffer.from(html);
});
