// Development only: Vite inside the server, on its port, with hot updates through its socket.
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Express } from 'express';
import { createServer } from 'vite';
import type { PageSource } from './page-source.ts';

const clientRoot = fileURLToPath(new URL('../../client/', import.meta.url));

/** Starts Vite as middleware. Without a server of ours the socket gets one that never listens, so no fixed port is used. */
export async function loadVite(app: Express, server: Server = createHttpServer()): Promise<PageSource> {
  const vite = await createServer({
    root: clientRoot,
    configFile: `${clientRoot}vite.config.ts`,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server } },
  });
  app.use(vite.middlewares);
  return {
    shell: async (url) => vite.transformIndexHtml(url, await readFile(`${clientRoot}index.html`, 'utf8')),
    template: async (url) => vite.transformIndexHtml(url, await readFile(`${clientRoot}page.html`, 'utf8')),
    render: async () => (await vite.ssrLoadModule('/server.tsx')).render,
    close: () => vite.close(),
  };
}
