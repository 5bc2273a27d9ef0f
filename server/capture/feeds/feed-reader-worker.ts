// The thread in which one feed is read.
import { parentPort, workerData } from 'node:worker_threads';
import { readFeed } from './feed-text.ts';

parentPort?.postMessage(readFeed(workerData));
