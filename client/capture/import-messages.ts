/**
 * The texts of an import in each state: a line for the sidebar and a sentence for the dialog.
 */
import type { ImportJob, ImportSummary } from '#shared/capture/import-job.ts';
import { isFinished, type ImportState } from '#client/capture/import-store.ts';
import { countOf, formatCount } from '#shared/english.ts';

/** In the sidebar, on phones and in a toast. */
export const NEEDS_ANSWER = 'Import needs your answer';

/** What was left out, and what was adjusted. */
function remarksOf({ leftOut, remarks }: Pick<ImportSummary, 'leftOut' | 'remarks'>): string[] {
  return [
    ...(leftOut > 0 ? [`${formatCount(leftOut)} left out`] : []),
    ...(remarks > leftOut ? [`${formatCount(remarks - leftOut)} with a remark`] : []),
  ];
}

function finished({ problems }: ImportJob): string {
  const leftOut = problems.filter(({ imported }) => !imported).length;
  return ['Import finished', ...remarksOf({ leftOut, remarks: problems.length })].join(', ');
}

function kept({ keptCount }: Pick<ImportJob, 'keptCount'>): string {
  return `${formatCount(keptCount)} stayed`;
}

function undone(job: Pick<ImportJob, 'removedCount' | 'restoredCount' | 'keptCount'>): string {
  return [
    `${formatCount(job.removedCount)} deleted`,
    ...(job.restoredCount > 0 ? [`${formatCount(job.restoredCount)} as before the import`] : []),
    ...(job.keptCount > 0 ? [kept(job)] : []),
  ].join(', ');
}

/** The question of an import that would make many spaces. */
export function questionTitle({ newSpaces }: Pick<ImportJob, 'newSpaces'>): string {
  return `This would make ${countOf(newSpaces, 'new space')}`;
}

function question({ newSpaces, newSpaceNames }: ImportJob): string {
  const names = newSpaceNames.slice(0, 2).map((name) => `“${name}”`);
  const rest = newSpaces - names.length;
  const all = rest > 0 ? `${names.join(', ')} and ${formatCount(rest)} more` : names.join(' and ');
  return `${all}. Spaces are places that you open and share; tags keep the same grouping without filling the sidebar.`;
}

/** The line in the sidebar; empty when there is nothing to show. */
export function importLine(current: ImportState): string {
  switch (current.state) {
    case 'none':
      return '';
    case 'waiting':
      return current.reason === 'network'
        ? 'Import waiting for a connection'
        : 'Import waiting for the server';
    case 'sending':
      return `Sending ${current.name}`;
    case 'refused':
      return 'Import refused';
    default: {
      const { job, heard } = current;
      if (job.undo === 'running') return heard ? 'Undoing the import' : 'Undo waiting for the server';
      if (job.undo === 'done') return `Import undone${job.keptCount === 0 ? '' : `, ${kept(job)}`}`;
      if (job.status === 'failed') return 'Import failed';
      if (isFinished(job)) return finished(job);
      if (job.status === 'asking') return NEEDS_ANSWER;
      if (!heard) return 'Import waiting for the server';
      return job.processed === 0
        ? 'Import starting'
        : `Importing ${formatCount(job.processed)} of ${formatCount(job.total)}`;
    }
  }
}

/** Progress or result of the job, in numbers. */
export function importSentence({ job, heard }: { job: ImportJob; heard: boolean }): string {
  if (job.undo === 'done') return `Undone: ${undone(job)}.`;
  if (job.undo === 'running') {
    const words = `Undoing: ${undone(job)}.`;
    return heard ? words : `${words} The server cannot be reached; it goes on by itself and is asked again.`;
  }
  if (job.status === 'failed') return job.error ?? 'The import failed.';
  if (job.status === 'asking') return question(job);
  const parts = [
    `${formatCount(job.processed)} of ${formatCount(job.total)} read`,
    `${formatCount(job.imported)} new`,
    ...(job.updatedCount > 0 ? [`${formatCount(job.updatedCount)} updated`] : []),
    ...(job.unchanged > 0 ? [`${formatCount(job.unchanged)} already here`] : []),
  ];
  const words = `${parts.join(', ')}.`;
  if (heard || isFinished(job)) return words;
  return `${words} The server cannot be reached; it goes on by itself and is asked again.`;
}

export function summaryLine(job: ImportSummary): string {
  if (job.undo === 'done') return `Undone: ${undone(job)}`;
  if (job.undo === 'running') return `Undoing: ${undone(job)}`;
  if (job.status === 'failed') return job.error ?? 'Failed';
  if (job.status === 'asking') return 'Waiting for your answer';
  const parts = [
    `${formatCount(job.imported)} new`,
    ...(job.updatedCount > 0 ? [`${formatCount(job.updatedCount)} updated`] : []),
    ...(job.unchanged > 0 ? [`${formatCount(job.unchanged)} already here`] : []),
    ...remarksOf(job),
  ];
  return job.status === 'completed' ? parts.join(', ') : `Under way: ${parts.join(', ')}`;
}

/** How far it is, 0 to 1; undefined while that cannot be known. */
export function importShare(current: ImportState): number | undefined {
  if (current.state === 'sending') return current.sent;
  if (current.state !== 'job') return undefined;
  const { job } = current;
  if (job.undo === 'running') return undefined;
  if (isFinished(job)) return 1;
  return job.total === 0 || job.processed === 0 ? undefined : job.processed / job.total;
}
