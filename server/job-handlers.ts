// The jobs of all features under their names; a job without a handler does not compile. Only this table joins features
// to the queue.
import type { Context } from './context.ts';
import { runImport } from './capture/import-run.ts';
import type { JobHandlers } from './jobs/queue.ts';

/** What this server does with each kind of job. */
export function createJobHandlers(context: Context): JobHandlers {
  return {
    'import.run': ({ importId }) => runImport(context, importId),
  };
}
