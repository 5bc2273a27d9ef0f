/**
 * A program that makes the database every server of a story begins with: migrated, with the sample, and with people who are
 * ready to sit down. It takes the address of the cluster and the name of the database, and prints the people as JSON.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { hashPassword } from '#server/accounts/passwords.ts';
import { newUser } from '#server/accounts/service.ts';
import { openSession } from '#server/accounts/sessions.ts';
import { parseConfig } from '#server/config.ts';
import { createContext, type Context } from '#server/context.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { createEffects } from '#server/effects.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import { createLog } from '#server/log.ts';
import { SAMPLE_THREADS } from '#server/seed-content.ts';
import { seedDemo } from '#server/seed.ts';
import { createWorkspace } from '#server/workspaces/membership.ts';
import { newId } from '#shared/ids.ts';
import { createTemplate } from './global-postgres.ts';
import { STORY_PASSWORD } from './person.ts';
import type { ReadyPerson } from './ready-people.ts';

/** More than the stories of one worker take, those of the whole run included. */
const COUNT = 200;

/** A person with a proven address, a name, an empty workspace and a session, who has closed the list of first steps. */
function makePerson(context: Context, name: string, hash: string): Promise<ReadyPerson> {
  const workspaceId = newId('workspace');
  return writeInRealm(context, workspaceId, systemActor, async (tx): Promise<ReadyPerson> => {
    const email = `${name}@example.org`;
    const row = newUser({ email, emailVerified: true, at: tx.now });
    const { id: userId } = await tx.trx
      .insertInto('user')
      .values({ ...row, forename: name, checklistClosedAt: row.created })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.trx.insertInto('user_password').values({ userId, hash, updated: row.created }).execute();
    const slug = `${name}-notes`;
    await createWorkspace(tx, userId, { id: workspaceId, name: `Notes of ${name}`, slug });
    const origin = { address: null, userAgent: undefined };
    const token = await openSession(tx.trx, { userId, origin, now: tx.now });
    return { name, email, token, userId, workspaceId, slug };
  }).then(({ value }) => value);
}

const [postgresUrl = '', database = ''] = process.argv.slice(2);
const databaseUrl = await createTemplate(postgresUrl, database);
const config = parseConfig({});
const { context, close } = createContext({
  config,
  databaseUrl,
  log: createLog('error'),
  effects: createEffects,
});
await context.jobs.start(createJobHandlers(context));
await seedDemo(context);
// Otherwise each server of a story would answer the questions of the sample.
for (let answered = 0; answered < SAMPLE_THREADS.length; await pause(100)) {
  const answers = await context.db
    .selectFrom('message')
    .select('id')
    .where('role', '=', 'assistant')
    .execute();
  answered = answers.length;
}
await context.jobs.stop();
const hash = await hashPassword(config.env, STORY_PASSWORD);
const people: ReadyPerson[] = [];
// Of one length, so that no name is the beginning of another.
for (let number = 1; number <= COUNT; number += 1)
  people.push(await makePerson(context, `person-${String(number).padStart(3, '0')}`, hash));
await close();
process.stdout.write(JSON.stringify(people));
