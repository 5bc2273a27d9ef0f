// Reads a mail in a process of its own.
import { runInProcess } from '../../jobs/run-in-process.ts';
import type { ThreadLimits } from '../../jobs/run-in-thread.ts';
import { TIMEOUTS } from '../../limits.ts';
import { MAIL_LIMITS } from './mail-limits.ts';
import type { MailReading } from './mail-text.ts';

const WORKER = new URL('./mail-reader-worker.ts', import.meta.url);

/** Undefined when the process for the mail crashed or took too long. */
export function readMailInProcess(
  raw: Uint8Array,
  limits: ThreadLimits = { memoryMb: MAIL_LIMITS.readerMemoryMb, limitMs: TIMEOUTS.mailReader },
): Promise<MailReading | undefined> {
  return runInProcess(WORKER, { raw }, limits);
}
