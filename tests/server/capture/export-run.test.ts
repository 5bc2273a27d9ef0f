// The job of an export: one at a time, notified, begun anew after a kill, without remains when it fails.
import { beforeEach, describe, expect, it } from 'vitest';
import { abandonExport, runExport } from '#server/capture/exports/export-run.ts';
import { type Id } from '#shared/ids.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { demote, furnish, keyOf, remove, titlesOf, type ExportStage } from '#tests/support/export-stage.ts';
import {
  beginExport,
  downloadExport,
  entriesOf,
  exportWhole,
  readExport,
  rowsOf,
} from '#tests/support/workspace-export.ts';
import { openWorld } from '#tests/support/world.ts';

let cast: Cast;
let stage: ExportStage;
let workspaceId: Id<'workspace'>;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
  stage = { world, cast };
  ({ workspaceId } = cast);
});

describe('the job', () => {
  const jobRows = () =>
    world.context.db.selectFrom('export_job').selectAll().where('workspaceId', '=', workspaceId).execute();

  it('is one at a time for a person in a workspace', async () => {
    const { alice, bob } = cast;
    const asked = await Promise.all(Array.from({ length: 4 }, () => beginExport(alice, { workspaceId })));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect(await jobRows()).toHaveLength(1);
    const waiting = await world.context.db
      .selectFrom('audit_event')
      .select('details')
      .where('workspaceId', '=', workspaceId)
      .where('action', '=', 'workspace.exported')
      .execute();
    expect(waiting).toEqual([{ details: { contents: 'memories, spaces, threads', spaces: null } }]);
    expect((await beginExport(bob, { workspaceId })).id).not.toBe(asked[0]?.id);
    const other = await alice.raw('POST', '/v1/exports', { body: { workspaceId, includeFiles: false } });
    expect(other.status).toBe(409);
    const key = await keyOf(stage, alice, { scopes: ['memories:read'] });
    const refused = await key.raw('POST', '/v1/exports', { body: { workspaceId } });
    expect(refused.status).toBe(409);
    expect(refused.text).not.toContain(asked[0]?.id ?? 'none');
  });

  it('notifies the person once the file is there', async () => {
    const { alice } = cast;
    await exportWhole(world, alice, { workspaceId });
    const { result } = await alice.api('notification.list', { query: { triggerId: 'export.ready' } });
    expect(result).toMatchObject([
      { title: 'Export ready', workspaceId, metadata: { link: `/${cast.slug}/settings` } },
    ]);
  });

  it('begins anew after its server was killed, and an older run that lives stops', async () => {
    await furnish(stage);
    const { alice } = cast;
    const job = await beginExport(alice, { workspaceId });
    const { context } = world;
    // The first run is held at its first file, while the queue believes it dead and starts another.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let reached: () => void = () => undefined;
    const isWriting = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const slow = {
      ...context,
      files: {
        ...context.files,
        write: async (...[key, stream]: Parameters<typeof context.files.write>) => {
          reached();
          await held;
          return context.files.write(key, stream);
        },
      },
    };
    const first = runExport(slow, job.id);
    await isWriting;
    await runExport(context, job.id);
    const done = await readExport(alice, job);
    expect(done).toMatchObject({ status: 'completed', processed: done.total });
    release();
    await first;
    expect(await readExport(alice, job)).toMatchObject({ status: 'completed', bytes: done.bytes });
    expect(
      titlesOf(rowsOf(await entriesOf(await downloadExport(world, await readExport(alice, job))))),
    ).toEqual(['Bread', 'For all', 'Pears', 'Plan']);
    // What has ended is not run again.
    await runExport(context, job.id);
    expect((await jobRows())[0]).toMatchObject({ status: 'completed' });
  });

  it('leaves nothing in the store when it fails, and is tried again', async () => {
    await furnish(stage);
    const { alice } = cast;
    const { context } = world;
    const job = await beginExport(alice, { workspaceId });
    const broken = {
      ...context,
      files: {
        ...context.files,
        write: async () => {
          throw new Error('the disk is full');
        },
      },
    };
    await expect(runExport(broken, job.id)).rejects.toThrow('the disk is full');
    expect(await readExport(alice, job)).toMatchObject({ status: 'running', download: null });
    await abandonExport(context, job.id);
    const failed = await readExport(alice, job);
    expect(failed).toMatchObject({ status: 'failed', download: null });
    expect(failed.error).toContain('Start it again');
    expect(await context.files.get(`${workspaceId}/${job.id}`)).toBeUndefined();
    expect(await exportWhole(world, alice, { workspaceId })).toMatchObject({ status: 'completed' });
  });

  it('ends without a file when its person was removed or demoted meanwhile', async () => {
    const { bob } = cast;
    const job = await beginExport(bob, { workspaceId });
    await demote(stage, bob, 'read-only');
    await runExport(world.context, job.id);
    expect(await readExport(bob, job)).toMatchObject({ status: 'failed', download: null });
    const second = await beginExport(bob, { workspaceId });
    await remove(stage, bob);
    await runExport(world.context, second.id);
    expect((await jobRows()).map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(await world.context.files.get(`${workspaceId}/${second.id}`)).toBeUndefined();
  });
});
