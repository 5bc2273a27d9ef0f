/**
 * Saves a mail in the name of the person whose address it went to, with the person's present permissions: all of it in one
 * transaction, or nothing.
 */
import type { Id } from '#shared/ids.ts';
import { MAIL_LIMITS } from './mail-limits.ts';
import type { Context } from '../../context.ts';
import { writeAs, type Writing } from '../../http/write.ts';
import { createFairQueue } from '../../fair-queue.ts';
import { runInProcess, type ProcessLimits } from '../../jobs/run-in-process.ts';
import { TIMEOUTS } from '../../limits.ts';
import { saveFile, saveMemory, storeFile, withUpload, type NewMemory } from '../../memories/service.ts';
import { isStillValid, type Recipient } from './mail-address.ts';
import { asRefusal, MailRefusal, noSuchAddress } from './mail-refusal.ts';
import type { MailFile, ReadMail, MailReading } from './mail-text.ts';
import { isReceived, recordReceived } from './received-mail.ts';
import { asPerson } from '../../sync/readable.ts';

/** Waiting mails are held in memory. */
const takeTurn = createFairQueue({ atOnce: 2, lineAtOnce: 1, lineWaitingMax: 4 });

/** Reads and saves a mail. Sent again it is saved once. @throws MailRefusal, AppError, and failures of the database */
export async function saveMail(context: Context, recipient: Recipient, raw: Uint8Array): Promise<void> {
  const reading = await takeTurn(recipient.userId, () => readMailInProcess(raw));
  if (reading === undefined) throw new MailRefusal(554, 'This mail cannot be read');
  if ('refused' in reading) throw new MailRefusal(554, reading.refused);
  const mail = reading.read;
  if (await isReceived(context.db, recipient, mail.key)) return;
  const things = thingsOf(mail);
  const { userId, workspaceId } = recipient;
  const stored = new Map<Thing, Awaited<ReturnType<typeof storeFile>>>();
  for (const thing of things)
    if (thing.stored !== undefined)
      stored.set(
        thing,
        await storeFile(
          context,
          { workspaceId, ...asPerson(userId) },
          { stored: thing.stored, spaceId: null },
        ),
      );
  await writeAs(context, { realmId: workspaceId, ...asPerson(userId) }, async (writing) => {
    const { tx } = writing;
    if (!(await isStillValid(tx.trx, recipient))) throw noSuchAddress();
    if (!(await recordReceived(tx.trx, recipient, mail.key, tx.now))) return;
    for (const thing of things) {
      const file = stored.get(thing);
      if (file === undefined) await saveText(writing, thing);
      else await saveFile(writing, thing.memory, { jobs: context.jobs, file, separate: false });
    }
  });
}

type Thing = ReturnType<typeof withUpload> & { filename?: string };

/** The text of the mail and each attachment. @throws MailRefusal for an attachment that cannot be saved */
function thingsOf({ title, url, notes, files }: ReadMail): Thing[] {
  const isText = notes !== null || url !== null || files.length === 0;
  const text = { memory: { ...NOTHING, title, url, notes } };
  // A mail of one file without text is its title.
  const name = isText || files.length > 1 ? null : title;
  return [...(isText ? [text] : []), ...files.map((file) => thingOf(file, name))];
}

const NOTHING: NewMemory = {
  origin: 'email',
  title: null,
  description: null,
  url: null,
  notes: null,
  tags: [],
  archived: false,
};

function thingOf({ filename, mediaType, bytes }: MailFile, title: string | null): Thing {
  const file = { filename, mediaType, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
  try {
    return { ...withUpload({ ...NOTHING, title }, { announced: 'file', file }, false), filename };
  } catch (error) {
    throw asRefusal(error, `The attachment ${filename} cannot be saved`);
  }
}

async function saveText(writing: Writing, { memory, filename }: Thing): Promise<Id<'memory'>> {
  const { id, duplicate } = await saveMemory(writing, memory);
  if (filename !== undefined && !duplicate) await writing.tx.update('memory', id, { filename });
  return id;
}

const WORKER = new URL('./mail-reader-worker.ts', import.meta.url);

/** Undefined when the process for the mail crashed or took too long. */
export function readMailInProcess(
  raw: Uint8Array,
  limits: ProcessLimits = { memoryMb: MAIL_LIMITS.readerMemoryMb, limitMs: TIMEOUTS.mailReader },
): Promise<MailReading | undefined> {
  return runInProcess(WORKER, { raw }, limits);
}
