// The thread in which one page is read.
import { parentPort, workerData } from 'node:worker_threads';
import { readPage } from './page-text.ts';

parentPort?.postMessage(await readPage(workerData));
