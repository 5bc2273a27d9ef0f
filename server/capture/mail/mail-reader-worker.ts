// The process in which one mail is read.
import { once } from 'node:events';
import { UnreadableFile } from '../unreadable-file.ts';
import { readMail, type MailReading } from './mail-text.ts';

const [source]: { raw: Uint8Array }[] = await once(process, 'message');
if (source !== undefined) process.send?.(await read(source.raw));

async function read(raw: Uint8Array): Promise<MailReading> {
  try {
    return { read: await readMail(raw) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { refused: error.message };
    throw error;
  }
}
