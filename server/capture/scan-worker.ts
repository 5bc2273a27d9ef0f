// The process in which one file is drawn.
import { serveParent } from '../jobs/serve-parent.ts';
import type { FileSource } from './file-source.ts';
import { drawScans } from './scan.ts';

serveParent((order: Pick<FileSource, 'kind' | 'bytes'> & { enoughMs: number }) =>
  drawScans(order, order.enoughMs),
);
