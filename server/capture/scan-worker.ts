// The process in which one file is drawn.
import { once } from 'node:events';
import type { FileSource } from './file-source.ts';
import { drawScans } from './scan.ts';

const [order]: (Pick<FileSource, 'kind' | 'bytes'> & { enoughMs: number })[] = await once(process, 'message');
if (order !== undefined) process.send?.(await drawScans(order, order.enoughMs));
