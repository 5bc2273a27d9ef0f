/** The queue on a real database: every declared job is worked on, and one that cannot succeed ends where people see it. */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import { JOBS, type JobHandlers, type JobName, type JobPayload } from '#server/jobs/jobs.ts';
import { signUp } from '#tests/support/agent.ts';
import { createWorld, type World } from '#tests/support/world.ts';
import { zipOf } from '#tests/support/zip.ts';
import { itLong } from '#tests/support/long-test.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const payloads: { [N in JobName]: JobPayload<N> } = {
  'import.run': { importId: newId('upload') },
  'export.run': { exportId: newId('export') },
  'import.undo': { importId: newId('upload'), userId: newId('user') },
  'mail.send': { mail: 'reset_password', email: 'ada@example.com' },
  'notification.mail': { userId: newId('user'), notificationId: newId('notification') },
  'notification.push': {
    userId: newId('user'),
    notificationId: newId('notification'),
    sessionId: newId('session'),
  },
  'notification.digest': {},
  'notification.digest_mail': { userId: newId('user'), until: '2026-07-01T12:00:00.000Z' },
  'impersonation.end': { sessionId: newId('session') },
  'clean_up.run': {},
  'page.capture': { workspaceId: newId('workspace'), memoryId: newId('memory') },
  'file.preview': { workspaceId: newId('workspace'), uploadId: newId('upload') },
  'news.deliver': { subject: newId('internal_event'), title: 'News', body: 'Something is new.' },
  'news.post': { newsId: '0b5d3cf2-3d0e-4a53-8d52-6a3f3c4c4c1e' },
  'guest.settle': { userId: newId('user') },
  'feed.due': {},
  'feed.check': { workspaceId: newId('workspace'), feedId: newId('feed') },
  'memory.embed': { workspaceId: newId('workspace') },
  'message.answer': { workspaceId: newId('workspace'), messageId: newId('message') },
  'message.answer_due': {},
  'memory.describe': {},
  'thread.name': { workspaceId: newId('workspace'), threadId: newId('thread') },
  'webhook.answered': { workspaceId: newId('workspace'), messageId: newId('message') },
  'webhook.collect': { workspaceId: newId('workspace') },
  'webhook.deliver': { workspaceId: newId('workspace'), deliveryId: newId('webhook_delivery') },
};

const names = Object.keys(payloads) as JobName[];

/** Handlers that record what they were given. */
function recording(): { handlers: JobHandlers; ran: Map<string, unknown> } {
  const ran = new Map<string, unknown>();
  const record = (name: JobName) => ({
    run: async (payload: unknown) => {
      ran.set(name, payload);
    },
  });
  const handlers = Object.fromEntries(names.map((name) => [name, record(name)])) as JobHandlers;
  return { ran, handlers };
}

/** So that the first failure is the last, without waiting for the tries before it. */
async function allowNoRetry(): Promise<void> {
  await sql`update pgboss.job set retry_limit = 0`.execute(world.context.db);
}

async function metricsText(): Promise<string> {
  return world.context.registry.metrics();
}

describe('the queue', () => {
  it('works on every job of the table, with what was enqueued before it started', async () => {
    const { jobs, db } = world.context;
    for (const name of names) await jobs.enqueue(db, name, payloads[name]);
    const { handlers, ran } = recording();
    await jobs.start(handlers);
    await expect.poll(() => Object.fromEntries(ran)).toEqual(payloads);
  });

  it('schedules the jobs that have a schedule and no others', async () => {
    await world.context.jobs.start(recording().handlers);
    const { rows } = await sql<{ name: string; cron: string }>`
      select "name", "cron" from pgboss.schedule order by "name" collate "C"`.execute(world.context.db);
    const declared = Object.entries(JOBS).flatMap(([name, row]) =>
      'schedule' in row ? [{ name, cron: row.schedule }] : [],
    );
    expect(rows).toEqual(declared.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
  });

  it('forgets a job whose transaction was rolled back', async () => {
    const { jobs, db } = world.context;
    await jobs.prepare();
    const failing = db.transaction().execute(async (tx) => {
      await jobs.enqueue(tx, 'mail.send', payloads['mail.send']);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    const { rows } = await sql`select "id" from pgboss.job where "name" = 'mail.send'`.execute(db);
    expect(rows).toEqual([]);
  });

  it('has the retry policy of the row, also on a queue that was made with another', async () => {
    const { jobs, db } = world.context;
    await jobs.prepare();
    await sql`update pgboss.queue set retry_limit = 1, dead_letter = null where name = 'mail.send'`.execute(
      db,
    );
    await jobs.start(recording().handlers);
    const { rows } = await sql`
      select retry_limit, retry_delay, retry_backoff, dead_letter from pgboss.queue where name = 'mail.send'`.execute(
      db,
    );
    const { limit, delaySeconds } = JOBS['mail.send'].retry;
    expect(rows).toEqual([
      { retry_limit: limit, retry_delay: delaySeconds, retry_backoff: true, dead_letter: 'mail.send.dead' },
    ]);
  });

  it('gives up a job after its last try, once, with what it carried', async () => {
    const { jobs, db } = world.context;
    await jobs.enqueue(db, 'mail.send', payloads['mail.send']);
    await allowNoRetry();
    const givenUp: unknown[] = [];
    await jobs.start({
      ...recording().handlers,
      'mail.send': {
        run: () => Promise.reject(new Error('no such server')),
        giveUp: async (payload) => givenUp.push(payload),
      },
    });
    await expect.poll(() => givenUp).toEqual([payloads['mail.send']]);
    // Counted once the handler has ended.
    await expect.poll(metricsText).toContain('loci_jobs_given_up_total{job="mail.send"} 1');
    const { rows } = await sql`select "state" from pgboss.job where "name" = 'mail.send'`.execute(db);
    expect(rows).toEqual([{ state: 'failed' }]);
  });

  itLong('hands no payload to a handler that its row does not describe', async () => {
    const { jobs, db } = world.context;
    await jobs.enqueue(db, 'import.run', payloads['import.run']);
    await sql`update pgboss.job set data = '{"importId":"mem_x"}', retry_limit = 0`.execute(db);
    const { handlers, ran } = recording();
    await jobs.start(handlers);
    await expect.poll(metricsText).toContain('loci_jobs_given_up_total{job="import.run"} 1');
    expect(ran.size).toBe(0);
  });
});

itLong('an import that cannot be done ends as failed and is reported to its owner', async () => {
  const ada = await signUp(world, 'ada');
  const { result } = await ada.api('workspace.create', { body: { name: 'Notes' } });
  const form = new FormData();
  form.set('payload', JSON.stringify({ workspaceId: result.id }));
  const archive = await zipOf([{ path: 'a.md', bytes: '# A' }]);
  form.set('file', new Blob([new Uint8Array(archive)]), 'notes.zip');
  const answer = await fetch(`${world.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}` },
    body: form,
  });
  expect(answer.status).toBe(202);
  await allowNoRetry();
  const handlers = createJobHandlers(world.context);
  const broken = { ...handlers['import.run'], run: () => Promise.reject(new Error('the disk is broken')) };
  await world.context.jobs.start({ ...handlers, 'import.run': broken });
  const params = { workspaceId: result.id };
  const statuses = async () => (await ada.api('import.list', { params })).result.map(({ status }) => status);
  await expect.poll(statuses).toEqual(['failed']);
  const titles = async () => (await ada.api('notification.list', {})).result.map(({ title }) => title);
  await expect.poll(titles).toContain('Import failed');
});
