// The thread that splits the texts of a few memories.
import { parentPort, workerData } from 'node:worker_threads';
import { chunksOf, type MemoryTexts } from '#shared/threads/chunks.ts';

const memories: MemoryTexts[] = workerData;
parentPort?.postMessage(memories.map(chunksOf));
