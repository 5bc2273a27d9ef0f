// Built files with their cache rules: hashed assets live a year, everything else is asked for again each time.
import express, { type Express } from 'express';
import { clientDir } from './page-source.ts';

const YEAR_SECONDS = 31_536_000;

/** Mounts the build's files. `index.html` is not served by name: it is the template. */
export function mountStatic(app: Express): void {
  const assets = express.static(`${clientDir}/assets`, {
    immutable: true,
    maxAge: YEAR_SECONDS * 1000,
    index: false,
  });
  app.use('/assets', assets);
  app.use(
    express.static(clientDir, {
      index: false,
      dotfiles: 'ignore',
      setHeaders: (res) => {
        res.setHeader('Cache-Control', 'no-cache');
      },
    }),
  );
}
