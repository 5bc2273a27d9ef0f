// The process in which one file is read.
import { once } from 'node:events';
import type { FileReading, FileSource } from './file-source.ts';
import { extractText } from './file-text.ts';
import { UnreadableFile } from './unreadable-file.ts';

const [source]: FileSource[] = await once(process, 'message');
if (source !== undefined) process.send?.(await read(source));

async function read(file: FileSource): Promise<FileReading> {
  try {
    return { read: await extractText(file) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { refused: error.message };
    throw error;
  }
}
