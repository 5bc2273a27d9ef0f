// Ended jobs, completed or failed for good. The queue stores them for a few days.
import { sql, type RawBuilder } from 'kysely';
import type { JobName } from './jobs.ts';
import { deadQueueOf } from './queue.ts';

/** A query for the data of each job of a kind that began since then and has no attempts left, and the number of its ends. */
export function endedJobs(name: JobName, since: Date): RawBuilder<{ data: unknown; times: number }> {
  return sql`(select job."data", count(*)::int as "times" from pgboss.job
    where job."name" = ${name} and job."state" > 'active' and job."created_on" > ${since.toISOString()}::timestamptz
      and not exists (select 1 from pgboss.job other
        where other."name" in (${name}, ${deadQueueOf(name)}) and other."state" <= 'active' and other."data" = job."data")
    group by job."data")`;
}
