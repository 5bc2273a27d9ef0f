// The thread that splits the texts of a few memories.
import { chunksOf, type MemoryTexts } from '#shared/threads/chunks.ts';
import { serveInBackground } from '../jobs/serve-parent.ts';

serveInBackground((memories: MemoryTexts[]) => memories.map(chunksOf));
