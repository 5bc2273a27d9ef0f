// Built files with their cache rules: hashed assets are cached for a year, everything else is revalidated each time. The build
// also compresses the hashed ones; a browser that accepts such a form gets it as stored on the disk.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import { clientDir } from './page-source.ts';

const YEAR_SECONDS = 31_536_000;

/** Ending of the compressed form → its name in HTTP, smallest first. */
const FORMS = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
] as const;

/** Points a request to the compressed form of its file. */
function chooseForm(folder: string): RequestHandler {
  const files = new Set(
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) =>
            path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
          )
      : [],
  );
  return (req, res, next) => {
    const form = FORMS.find(
      ([ending, name]) => files.has(`${req.path.slice(1)}${ending}`) && req.acceptsEncodings(name),
    );
    if (form) {
      const [ending, name] = form;
      res.type(path.extname(req.path)).set('Content-Encoding', name);
      req.url = `${req.path}${ending}`;
    }
    res.vary('Accept-Encoding');
    next();
  };
}

/** The template of public pages is no page. */
const TEMPLATE = '/page.html';

/** Mounts the build's files. `index.html` is answered before them: it is the application's document, and a page like others. */
export function mountStatic(app: Express): void {
  const assets = express.static(`${clientDir}/assets`, {
    immutable: true,
    maxAge: YEAR_SECONDS * 1000,
    index: false,
  });
  app.use('/assets', chooseForm(`${clientDir}/assets`), assets);
  const others = express.static(clientDir, {
    index: false,
    dotfiles: 'ignore',
    setHeaders: (res) => {
      res.setHeader('Cache-Control', 'no-cache');
    },
  });
  app.use((req, res, next) => (req.path === TEMPLATE ? next() : others(req, res, next)));
}
