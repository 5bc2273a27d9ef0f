// The thread that splits the texts of a few memories.
import { chunksOf, type MemoryTexts } from '#shared/threads/chunks.ts';
import { serveParent } from '../jobs/serve-parent.ts';

serveParent((memories: MemoryTexts[]) => memories.map(chunksOf));
