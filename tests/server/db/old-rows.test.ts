/** Migrations over rows of the form that the product wrote before them: people keep their accounts, and their devices hear of what changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { hashPassword } from '#server/accounts/passwords.ts';
import { sealCookie } from '#server/sync/cookie.ts';
import { cookieSecret } from '#server/sync/secret.ts';
import { createApi, createRaw, TEST_PASSWORD } from '#tests/support/agent.ts';
import { openOldDatabase, type OldDatabase } from '#tests/support/old-database.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const TIME = '2026-05-01T08:00:00.000Z';

describe('0193_unproven_addresses', () => {
  const ada = newId('user');
  const bob = newId('user');
  const withDomain = newId('workspace');
  const without = newId('workspace');
  const erased = newId('workspace');
  const memory = newId('memory');
  let old: OldDatabase;
  let world: World;
  const insert: OldDatabase['insert'] = (table, row) => old.insert(table, row);

  const entry = async (
    realmId: string,
    kind: string,
    entityId: string,
    facts: { ver: number; live?: boolean },
  ) =>
    insert('sync_entry', {
      audienceId: `w:${realmId}`,
      key: kind === 'workspace' ? `1/ws/${entityId}` : `4/m/000000000/${entityId}`,
      ...{ realmId, kind, entityId, born: 1, live: true, ...facts },
    });

  beforeAll(async () => {
    old = await openOldDatabase('0193_unproven_addresses.sql');
    const { database } = old;
    const person = { source: 'email', personal: false, created: TIME, updated: TIME };
    await insert('user', {
      ...person,
      id: ada,
      email: 'ada@acme.example',
      domain: 'acme.example',
      emailVerified: true,
    });
    await insert('user', {
      ...person,
      id: bob,
      email: 'bob@acme.example',
      domain: 'acme.example',
      emailVerified: false,
    });
    await insert('user_password', {
      userId: ada,
      hash: await hashPassword('test', TEST_PASSWORD),
      updated: TIME,
    });
    for (const [id, domain] of [
      [withDomain, 'acme.example'],
      [without, null],
    ] as const) {
      await insert('workspace', {
        id,
        ownerId: ada,
        createdBy: ada,
        lastEditedBy: ada,
        slug: `acme-${domain === null ? 'two' : 'one'}`,
        domain,
        name: 'Acme',
        created: TIME,
        updated: TIME,
      });
      await insert('workspace_member', {
        id: newId('workspace_member'),
        workspaceId: id,
        userId: ada,
        position: 'owner',
        created: TIME,
        updated: TIME,
      });
    }
    for (const [realmId, version] of [
      [withDomain, 7],
      [without, 3],
      [erased, 9],
      [ada, 5],
    ] as const) {
      await insert('sync_realm', { realmId, version });
      if (realmId !== ada)
        await insert('sync_audience_member', { realmId, audienceId: `w:${realmId}`, userId: ada });
    }
    await entry(withDomain, 'workspace', withDomain, { ver: 2 });
    await entry(withDomain, 'memory', memory, { ver: 7, live: false });
    await entry(without, 'workspace', without, { ver: 1 });
    await entry(erased, 'workspace', erased, { ver: 9, live: false });
    await old.migrateOn();
    world = await createWorld({ database, jobs: true });
  });
  afterAll(async () => {
    await world.close();
    await old.dispose();
  });

  const column = async (query: string) =>
    (await old.database.pool.query(query)).rows.map((row) => Object.values(row));

  it('calls no address proven and no domain owned', async () => {
    expect(await column('select "emailVerified" from "user"')).toEqual([[false], [false]]);
    expect(await column('select "domain" from "workspace"')).toEqual([[null], [null]]);
  });

  it('moves each realm with a workspace by one version, and of its entries the workspace alone', async () => {
    const versions = new Map(
      (await column('select "realmId", "version" from "sync_realm"')).map(([id, version]) => [
        id,
        Number(version),
      ]),
    );
    expect([withDomain, without, erased, ada].map((id) => versions.get(id))).toEqual([8, 4, 9, 5]);
    const entries = new Map(
      (await column('select "entityId", "ver" from "sync_entry"')).map(([id, ver]) => [id, Number(ver)]),
    );
    expect([withDomain, memory, without, erased].map((id) => entries.get(id))).toEqual([8, 7, 4, 9]);
  });

  it('tells a device that was up to date, and locks no person out', async () => {
    const { result } = await createApi(world)('auth.login', {
      body: { email: 'ada@acme.example', password: TEST_PASSWORD },
    });
    expect(result.user).toMatchObject({ id: ada, emailVerified: false });
    const { rows } = await old.database.pool.query<{ epoch: string }>(
      `select "epoch" from "sync_realm" where "realmId" = $1`,
      [withDomain],
    );
    const content = { g: 0, n: 7, s: 0, e: rows[0]?.epoch ?? '', lv: 7, t: Date.parse(TIME) };
    const a = Object.fromEntries(
      [`w:${withDomain}`].map((audience) => [audience, [7, null] as [number, string | null]]),
    );
    const owner = { userId: ada, realmId: withDomain };
    const cookie = sealCookie(await cookieSecret(old.database.db), owner, { ...content, a });
    const raw = createRaw(world, result.token);
    const pulled = await raw('POST', `/v1/sync/${withDomain}/pull`, {
      body: { pullVersion: 1, schemaVersion: '1', profileID: 'p', clientGroupID: 'old-device', cookie },
    });
    const patch: { op: string; key: string; value?: unknown }[] = JSON.parse(pulled.text).patch;
    expect(patch.find(({ key }) => key.startsWith('1/ws/'))).toMatchObject({
      op: 'put',
      value: { id: withDomain, domain: null },
    });
    expect(patch.some(({ op }) => op === 'clear')).toBe(false);

    // The address can be proven now.
    await raw('POST', '/v1/auth/verify-email/resend', { body: {} });
    await expect
      .poll(() => column(`select "userId" from "email_token" where "userId" = '${ada}'`))
      .toEqual([[ada]]);
  });
});

describe('0410_published_text', () => {
  const ada = newId('user');
  const workspaceId = newId('workspace');
  const spaces = {
    private: newId('space'),
    workspace: newId('space'),
    unlisted: newId('space'),
    public: newId('space'),
  };
  let old: OldDatabase;

  beforeAll(async () => {
    old = await openOldDatabase('0410_published_text.sql');
    const times = { created: TIME, updated: TIME };
    const people = { ownerId: ada, createdBy: ada, lastEditedBy: ada };
    await old.insert('user', {
      id: ada,
      source: 'email',
      personal: false,
      email: 'ada@acme.example',
      domain: 'acme.example',
      ...times,
    });
    await old.insert('workspace', { id: workspaceId, slug: 'acme', name: 'Acme', ...people, ...times });
    await old.insert('sync_realm', { realmId: workspaceId, version: 7 });
    for (const [visibility, id] of Object.entries(spaces)) {
      const looks = { color: 'sky', cover: 'none', origin: 'web' };
      await old.insert('space', {
        id,
        workspaceId,
        visibility,
        name: visibility,
        slug: visibility,
        ...looks,
        ...people,
        ...times,
      });
      await old.insert('sync_entry', {
        audienceId: `w:${workspaceId}`,
        key: `2/s/${id}`,
        realmId: workspaceId,
        kind: 'space',
        entityId: id,
        ver: 3,
        born: 1,
        live: true,
      });
    }
    await old.migrateOn();
  });
  afterAll(() => old.dispose());

  it('publishes no text of spaces that were public before, and lets every other space publish later', async () => {
    const { rows } = await old.database.pool.query(`select "visibility", "publishText" from "space"`);
    expect(Object.fromEntries(rows.map((row) => [row.visibility, row.publishText]))).toEqual({
      private: true,
      workspace: true,
      unlisted: false,
      public: false,
    });
  });

  it('sends those spaces to devices again, which would take the missing field for the default', async () => {
    const { rows } = await old.database.pool.query(`
      select s."visibility", e."ver"::int, r."version"::int from "sync_entry" e
      join "space" s on s."id" = e."entityId" join "sync_realm" r on r."realmId" = e."realmId"`);
    expect(new Set(rows.map((row) => row.version))).toEqual(new Set([8]));
    expect(Object.fromEntries(rows.map((row) => [row.visibility, row.ver]))).toEqual({
      private: 3,
      workspace: 3,
      unlisted: 8,
      public: 8,
    });
  });
});

describe('0590_workspace_keys', () => {
  const ada = newId('user');
  const workspaceId = newId('workspace');
  const other = newId('workspace');
  const [space, memory, thread] = [newId('space'), newId('memory'), newId('thread')];
  const [question, answer, importId] = [newId('message'), newId('message'), newId('upload')];
  let old: OldDatabase;
  /** Rows of a table without time zones and texts in them. */
  const rowsOf = async (table: string, columns: string) =>
    (await old.database.pool.query(`select ${columns} from "${table}" order by 1`)).rows;

  const [times, looks] = [
    { created: TIME, updated: TIME },
    { color: 'sky', cover: 'none', origin: 'web', publishText: true },
  ];
  const people = { ownerId: ada, createdBy: ada, lastEditedBy: ada };
  const note = { type: 'note', origin: 'manual_entry', contentStatus: 'completed', ...people, ...times };

  beforeAll(async () => {
    old = await openOldDatabase('0590_workspace_keys.sql');
    const { insert } = old;
    const email = { source: 'email', personal: false, email: 'ada@acme.example', domain: 'acme.example' };
    await insert('user', { id: ada, ...email, ...times });
    for (const id of [workspaceId, other])
      await insert('workspace', { id, slug: id.replace('_', '-'), name: 'Acme', ...people, ...times });
    const place = { workspaceId, visibility: 'public', name: 'Harbour', ...people, ...times };
    await insert('space', { id: space, slug: 'harbour', ...looks, ...place });
    await insert('memory', { id: memory, workspaceId, spaceId: space, title: 'Tides', ...note });
    await insert('space_memory', {
      workspaceId,
      spaceId: space,
      memoryId: memory,
      createdBy: ada,
      created: TIME,
    });
    await insert('thread', { id: thread, origin: 'web', ...place });
    const said = { workspaceId, threadId: thread, content: 'When is high tide?', createdAt: TIME };
    await insert('message', { id: question, role: 'user', createdBy: ada, ...said });
    await insert('message', { id: answer, role: 'assistant', replyTo: question, ...said });
    const rating = { id: newId('rating'), messageId: answer, rater: ada, value: 1 };
    await insert('message_rating', { ...rating, ...times });
    await insert('answer_draft', { messageId: question, threadId: thread });
    const job = { filename: 'notes.zip', folders: 'tags', status: 'running', total: 1, createdBy: ada };
    await insert('import_job', { id: importId, workspaceId, ...job, ...times });
    await insert('import_archive', { importId, seq: 0, bytes: Buffer.from('zip') });
    await insert('import_change', {
      importId,
      kind: 'memory',
      entityId: memory,
      path: 'a.md',
      left: TIME,
      at: TIME,
    });
    await insert('space_clone', { sourceId: newId('space'), spaceId: space, created: TIME });
    await insert('sync_space_audience', { spaceId: space, realmId: workspaceId, settled: true });
    for (const resourceId of [thread, newId('space')])
      await insert('hidden_resource', { resourceId, since: TIME });
    await old.migrateOn();
  });
  afterAll(() => old.dispose());

  it.each([
    ['message_rating', '"workspaceId", "messageId"', { messageId: answer }],
    ['answer_draft', '"workspaceId", "messageId"', { messageId: question }],
    ['import_archive', '"workspaceId", "importId"', { importId }],
    ['import_change', '"workspaceId", "importId"', { importId }],
    ['space_clone', '"workspaceId", "spaceId"', { spaceId: space }],
    // What was removed for good needs to be hidden no more.
    ['hidden_resource', '"workspaceId", "resourceId"', { resourceId: thread }],
  ])('gives the rows of %s the workspace that they belong to', async (table, columns, row) => {
    expect(await rowsOf(table, columns)).toEqual([{ workspaceId, ...row }]);
  });

  it('refuses what another workspace has: its rows as parents, and its ids', async () => {
    const elsewhere = { workspaceId: other, title: 'Mine', ...note };
    await expect(old.insert('memory', { id: newId('memory'), spaceId: space, ...elsewhere })).rejects.toThrow(
      'memory_workspaceId_spaceId_fkey',
    );
    await expect(old.insert('memory', { id: memory, ...elsewhere })).rejects.toThrow('memory_id_key');
  });

  it('takes rows along with what they belong to, as before', async () => {
    const client = await old.database.pool.connect();
    try {
      await client.query(`set app.sync_version = 'test'`);
      await client.query(`delete from "space" where "workspaceId" = $1 and "id" = $2`, [workspaceId, space]);
      await client.query(`delete from "message" where "workspaceId" = $1 and "id" = $2`, [
        workspaceId,
        question,
      ]);
    } finally {
      client.release(true);
    }
    expect(await rowsOf('memory', '"id", "workspaceId", "spaceId"')).toEqual([
      { id: memory, workspaceId, spaceId: null },
    ]);
    for (const table of ['space_memory', 'space_clone', 'sync_space_audience', 'message', 'message_rating'])
      expect([table, await rowsOf(table, '1')]).toEqual([table, []]);
  });
});
