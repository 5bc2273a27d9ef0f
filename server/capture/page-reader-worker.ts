// The thread in which one page is read.
import { serveParent } from '../jobs/serve-parent.ts';
import { readPage } from './page-text.ts';

serveParent(readPage);
