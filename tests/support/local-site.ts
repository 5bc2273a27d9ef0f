/** A local web site with many kinds of pages, for code that fetches pages. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

export interface LocalSite {
  /** Base address without a trailing slash. */
  url: string;
  /** Requested paths, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** Serves pages by path, whatever the query; an unknown path is a 404. With `0.0.0.0`, 127.0.0.2 and its like are hosts of it too. */
export async function serveSite(
  pages: Readonly<Record<string, RequestListener>>,
  host = '127.0.0.1',
): Promise<LocalSite> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const page = pages[path.split('?')[0] ?? ''];
    if (page !== undefined) return page(request, response);
    response.writeHead(404).end();
  });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A page as a listener. */
export function page(
  body: string | Buffer,
  headers: Record<string, string> = {},
  status = 200,
): RequestListener {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
}

/** A redirect as a listener. */
export function redirect(location: string, status = 302): RequestListener {
  return (_request, response) => response.writeHead(status, { location }).end();
}
