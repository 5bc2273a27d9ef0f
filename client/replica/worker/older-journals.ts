// Adopts the journals of other databases of the same realm: those of earlier versions of the app, and of the same person's
// earlier session. A new replica schema opens a new database. Replicache itself sends what it had written to the old one; the
// rest is moved into the new journal, upcast to the current schema. After the end of a session only a journal is left, with all
// unsent changes.
import { upcast, type RawMutation, type SchemaSteps } from '#shared/sync/upcasters.ts';
import { deleteDatabase } from '#client/replica/device-wipe.ts';
import { isUnsentName, replicaNameOf } from '#client/replica/unsent-records.ts';
import type { Journal, OpenJournal } from '#client/replica/worker/journal.ts';
import { liveClients } from '#client/replica/worker/recovery.ts';

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
 * Moves the records of ended clients; those of a tab that still runs the old app stay there. Never throws: what cannot
 * be moved stays for the next start.
 */
export async function adoptOlderJournals(realm: OpenedRealm): Promise<void> {
  const family = realm.databaseName.slice(0, -realm.schema.version.length);
  try {
    for (const { name = '' } of await indexedDB.databases()) {
      if (name.startsWith(family) && name !== realm.databaseName) {
        await adopt(realm, { name, schema: replicaNameOf(name).slice(family.length) });
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
    const living = await liveClients(older.name);
    const { records } = await left.read();
    for (const record of records) {
      if (living?.has(record.clientID)) continue;
      // Added to the new journal first: after a crash in between the record exists twice, and the server applies it
      // once.
      await journal.add([{ ...record, ...upcastRecord(older.schema, record, schema.steps) }]);
      await left.drop([record]);
    }
  } finally {
    await left.close();
  }
  // Nothing else is in it; it would be counted as unsent work for as long as it is there.
  if (isUnsentName(older.name)) await deleteDatabase(older.name);
}

/** A change that cannot be rewritten stays unchanged; replaying it will fail, and the failure is shown. */
function upcastRecord(from: string, { name, args }: RawMutation, steps: SchemaSteps): RawMutation {
  try {
    const { name: newName, args: newArgs } = upcast(from, { name, args }, steps);
    return { name: newName, args: newArgs };
  } catch (error) {
    console.info('replica: a change of an older version cannot be rewritten', error);
    return { name, args };
  }
}
