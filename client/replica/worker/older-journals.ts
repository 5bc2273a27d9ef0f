// Takes over what earlier versions of the app left in the journals of their own databases (SYNC 6 V3). A new replica
// schema opens a new database: what Replicache had written to the old one it sends itself, and what it had not is
// moved into the journal of the new one, in the words of today.
import { upcast, type RawMutation, type SchemaSteps } from '#shared/sync/upcasters.ts';
import type { Journal, OpenJournal } from '#client/replica/worker/journal.ts';
import { livingOf } from '#client/replica/worker/recovery.ts';

/** The schema of a replica, and how mutations of replaced ones are written in it. */
export interface ReplicaSchema {
  version: string;
  steps: SchemaSteps;
}

/** A realm that was opened, perhaps under a new schema. */
export interface OpenedRealm {
  /** Name of its database, whose last part is the schema. */
  databaseName: string;
  schema: ReplicaSchema;
  journal: Journal;
  openJournal: OpenJournal;
}

/**
 * Moves the records of clients that ended; those of a tab that still runs the old app stay with it. Never fails: what
 * cannot be moved stays where it is, for the next start.
 */
export async function adoptOlderJournals(realm: OpenedRealm): Promise<void> {
  const family = realm.databaseName.slice(0, -realm.schema.version.length);
  try {
    for (const { name = '' } of await indexedDB.databases()) {
      if (name.startsWith(family) && name !== realm.databaseName) {
        await adopt(realm, { name, schema: name.slice(family.length) });
      }
    }
  } catch (error) {
    console.warn('replica: what an older version of the app left could not be taken over', error);
  }
}

async function adopt(
  { journal, openJournal, schema }: OpenedRealm,
  older: { name: string; schema: string },
): Promise<void> {
  const left = openJournal(older.name);
  try {
    const living = await livingOf(older.name);
    const { records } = await left.read();
    for (const record of records) {
      if (living?.has(record.clientID)) continue;
      // Noted in the new one first: a crash in between leaves it twice, and the server takes it once.
      await journal.add({ ...record, ...inWordsOfToday(older.schema, record, schema.steps) });
      await left.drop([record]);
    }
  } finally {
    await left.close();
  }
}

/** What cannot be rewritten stays as it is; it will be refused when it is made again, and shown to the person. */
function inWordsOfToday(from: string, { name, args }: RawMutation, steps: SchemaSteps): RawMutation {
  try {
    const { name: newName, args: newArgs } = upcast(from, { name, args }, steps);
    return { name: newName, args: newArgs };
  } catch (error) {
    console.info('replica: a change of an older version cannot be rewritten', error);
    return { name, args };
  }
}
