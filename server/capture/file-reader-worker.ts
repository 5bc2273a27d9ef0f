// The process in which one file is read.
import { serveParent } from '../jobs/serve-parent.ts';
import type { FileReading, FileSource } from './file-source.ts';
import { extractText } from './file-text.ts';
import { UnreadableFile } from './unreadable-file.ts';

serveParent(read);

async function read(file: FileSource): Promise<FileReading> {
  try {
    return { read: await extractText(file) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { refused: error.message };
    throw error;
  }
}
