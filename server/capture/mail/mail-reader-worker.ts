// The process in which one mail is read.
import { serveParent } from '../../jobs/serve-parent.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import { readMail, type MailReading } from './mail-text.ts';

serveParent(read);

async function read({ raw }: { raw: Uint8Array }): Promise<MailReading> {
  try {
    return { read: await readMail(raw) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { refused: error.message };
    throw error;
  }
}
