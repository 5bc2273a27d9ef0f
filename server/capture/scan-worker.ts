// The process in which one file is drawn.
import { serveInBackground } from '../jobs/serve-parent.ts';
import type { FileSource } from './file-source.ts';
import { drawScans } from './scan.ts';

serveInBackground((order: Pick<FileSource, 'kind' | 'bytes'> & { enoughMs: number }) =>
  drawScans(order, order.enoughMs),
);
