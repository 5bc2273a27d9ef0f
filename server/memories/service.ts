// Memories as other features use them.
export { completed, knownUrlKeys, mergeImported, shareDuplicate, storeUrlKey } from './duplicates.ts';
export { queueEmbedding } from './embedding-queue.ts';
export { requireSaving } from './saving-right.ts';
export { replacedBy } from './duplicates.ts';
export { memoriesFor } from './store.ts';
export { findMemories } from './search.ts';
export { forgetVectors } from './vector-store.ts';
export { saveFile, storeFile } from './file-memory.ts';
export { saveMemory, type NewMemory } from './save-memory.ts';
export { withUpload } from './uploaded-note.ts';
