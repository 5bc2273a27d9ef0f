/**
 * Counts members' calls of the API, for the usage page of their workspace. Calls are added up in memory and written together
 * every few seconds and at the end, so that no call waits for its own count.
 */
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../log.ts';

const FLUSH_MS = 10_000;

interface CountedCall {
  isSearch: boolean;
  isError: boolean;
  /** The API key that made the call, if one did. */
  keyId?: string | undefined;
}

export interface CallCounter {
  count(workspaceId: string, call: CountedCall): void;
  /** Writes the counts; those that cannot be written are retained for the next time. */
  flush(): Promise<void>;
  /** Ends the writing in the background, with a last one. */
  close(): Promise<void>;
}

interface KeyCount {
  workspaceId: string;
  keyId: string;
  day: string;
  requests: number;
}

interface Count {
  workspaceId: string;
  day: string;
  requests: number;
  errors: number;
  searches: number;
}

export function createCallCounter({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
}): CallCounter {
  let counts = new Map<string, Count>();
  let keyCounts = new Map<string, KeyCount>();
  let writing: Promise<void> = Promise.resolve();
  const add = (more: Count) => {
    const key = `${more.workspaceId} ${more.day}`;
    const had = counts.get(key);
    counts.set(key, {
      ...more,
      requests: more.requests + (had?.requests ?? 0),
      errors: more.errors + (had?.errors ?? 0),
      searches: more.searches + (had?.searches ?? 0),
    });
  };
  const addKey = (more: KeyCount) => {
    const key = `${more.keyId} ${more.day}`;
    const had = keyCounts.get(key);
    keyCounts.set(key, { ...more, requests: more.requests + (had?.requests ?? 0) });
  };
  const writeAll = async () => {
    const [taken, takenKeys] = [[...counts.values()], [...keyCounts.values()]];
    if (taken.length === 0) return;
    counts = new Map();
    keyCounts = new Map();
    try {
      await db.transaction().execute(async (trx) => {
        await store(trx, taken);
        await storeKeys(trx, takenKeys);
      });
    } catch (error) {
      for (const count of taken) add(count);
      for (const count of takenKeys) addKey(count);
      log.warn({ error }, 'counts of calls could not be written yet');
    }
  };
  const flush = () => {
    writing = writing.then(writeAll);
    return writing;
  };
  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();
  return {
    count(workspaceId, { isSearch, isError, keyId }) {
      const day = clock.now().toISOString().slice(0, 10);
      add({ workspaceId, day, requests: 1, errors: isError ? 1 : 0, searches: isSearch ? 1 : 0 });
      if (keyId !== undefined) addKey({ workspaceId, keyId, day, requests: 1 });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Workspaces that were deleted meanwhile are left out, in the same order by every process. */
async function store(db: Database, counts: readonly Count[]): Promise<void> {
  const column = <K extends keyof Count>(name: K) => counts.map((count) => count[name]);
  await sql`
    insert into "call_count" as kept ("workspaceId", "day", "requests", "errors", "searches")
    select given.* from unnest(${column('workspaceId')}::text[], ${column('day')}::date[],
        ${column('requests')}::int[], ${column('errors')}::int[], ${column('searches')}::int[])
      as given ("workspaceId", "day", "requests", "errors", "searches")
    join "workspace" w on w."id" = given."workspaceId"
    order by 1, 2
    on conflict ("workspaceId", "day") do update set "requests" = kept."requests" + excluded."requests",
      "errors" = kept."errors" + excluded."errors", "searches" = kept."searches" + excluded."searches"`.execute(
    db,
  );
}

async function storeKeys(db: Database, counts: readonly KeyCount[]): Promise<void> {
  if (counts.length === 0) return;
  const column = <K extends keyof KeyCount>(name: K) => counts.map((count) => count[name]);
  await sql`
    insert into "key_call_count" as kept ("workspaceId", "keyId", "day", "requests")
    select given.* from unnest(${column('workspaceId')}::text[], ${column('keyId')}::text[],
        ${column('day')}::date[], ${column('requests')}::int[])
      as given ("workspaceId", "keyId", "day", "requests")
    join "workspace" w on w."id" = given."workspaceId"
    order by 1, 2, 3
    on conflict ("workspaceId", "keyId", "day") do update
      set "requests" = kept."requests" + excluded."requests"`.execute(db);
}

/** Days for which counts are stored: slightly more than two calendar months. */
const COUNT_DAYS = 65;

export async function forgetCallCounts(db: Database, now: Date): Promise<void> {
  const first = new Date(now.getTime() - COUNT_DAYS * 86_400_000).toISOString().slice(0, 10);
  await sql`delete from "call_count" where "day" < ${first}::date ${across('purge')}`.execute(db);
  await sql`delete from "key_call_count" where "day" < ${first}::date ${across('purge')}`.execute(db);
}
