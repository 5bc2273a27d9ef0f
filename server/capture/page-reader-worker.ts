// The process in which pages are read.
import { serveInBackground } from '../jobs/serve-parent.ts';
import { readPage } from './page-text.ts';

serveInBackground(readPage);
