// The server of the benchmarked dashboard, a process of its own: no device carries its server, so the process that starts this
// gives it the lowest priority. Takes the number of memories; tells where it is reached and how many the list shows.
import { existsSync, writeFileSync } from 'node:fs';
import { serveDashboard, type ServedDashboard } from '#tests/support/built-dashboard.ts';
import { fillWith } from './dashboard-data.ts';

/** What the process tells once it can be reached. */
export interface HostedDashboard extends ServedDashboard {
  /** Memories that the list has in the end. */
  shown: number;
}

/** Priority of the whole session where Linux shares processors between sessions (sched(7), autogroup). */
const SESSION_PRIORITY = '/proc/self/autogroup';

if (process.send === undefined) throw new Error('Start this through hosted-dashboard.ts');
process.on('disconnect', () => process.exit(0));
if (existsSync(SESSION_PRIORITY)) writeFileSync(SESSION_PRIORITY, '19');
const { shown, fill } = fillWith(Number(process.argv[2]));
const served = await serveDashboard(fill);
process.send({ ...served, shown } satisfies HostedDashboard);
