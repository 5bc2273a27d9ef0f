/**
 * The texts about files that wait to be sent: a line for the sidebar, and a sentence for each file.
 */
import type { WaitingFile } from '#client/replica/waiting-files.ts';
import { countOf } from '#shared/english.ts';

/** The line in the sidebar; empty while no file waits. */
export function fileLine(waiting: readonly Pick<WaitingFile, 'state'>[]): string {
  if (waiting.length === 0) return '';
  const refused = waiting.filter(({ state }) => state === 'refused').length;
  if (refused > 0) return countOf(refused, 'file was not saved', 'files were not saved');
  const isSending = waiting.some(({ state }) => state === 'sending');
  return isSending
    ? `Uploading ${countOf(waiting.length, 'file')}`
    : `${countOf(waiting.length, 'file')} waiting to upload`;
}

/** How much of the file that is being sent was sent; undefined while none is. */
export function fileShare(waiting: readonly Pick<WaitingFile, 'state' | 'sent'>[]): number | undefined {
  return waiting.find(({ state }) => state === 'sending')?.sent;
}

export function fileSentence({ state, reason, isStored, sent }: WaitingFile, isOnline: boolean): string {
  if (state === 'refused') return `Not saved. ${reason ?? ''}`.trim();
  const share = sent > 0 ? `, ${Math.floor(sent * 100)}% sent` : '';
  if (state === 'sending') return `Uploading${share}`;
  const waits = `${isOnline ? 'Waiting for its turn' : 'Waiting for a connection'}${share}`;
  return isStored ? waits : `${waits}. There is no room on this device: keep this page open`;
}
