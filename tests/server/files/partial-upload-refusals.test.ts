/** Large files in parts: lies about them, uploads of others, and how much may be unfinished. */
import { describe, expect, it } from 'vitest';
import { PARTS, PART_TYPE } from '#shared/capture/upload-limits.ts';
import { FILES } from '#shared/capture/limits.ts';
import { newId } from '#shared/ids.ts';
import { signUp } from '#tests/support/agent.ts';
import { createBuild, createCast, join } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { anyPdf, partsAt } from '#tests/support/parts.ts';
import { uploadFile } from '#tests/support/upload.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);

const by = (person: { token: string } = cast.alice, workspaceId: string = cast.workspaceId) =>
  partsAt({ url: world.url, token: person.token, workspaceId });

/** A new member of the workspace. */
async function newMember(name: string) {
  const member = await signUp(world, name);
  await join(world, cast.workspaceId, member, 'member');
  return member;
}

describe('lies', () => {
  it.each<[string, string | number, number]>([
    ['ahead', 500, 409],
    ['behind', 0, 409],
    ['far beyond the end', '999999999999999', 409],
    ['that is negative', '-1', 400],
    ['that is no number', 'ten', 400],
    ['that is empty', '', 400],
  ])('about a place %s are refused and change nothing', async (_what, at, status) => {
    const id = await by().begun(1_000);
    await by().append(id, 0, Buffer.alloc(100));
    const answer = await by().append(id, at, Buffer.alloc(10));
    expect(answer.status).toBe(status);
    if (status === 409) expect(answer.offset).toBe('100');
    expect((await by().state(id)).offset).toBe('100');
    await by().remove(id);
  });

  it('about the size are refused, with and without a length', async () => {
    const id = await by().begun(1_000);
    const answer = await by().append(id, 0, Buffer.alloc(1_001));
    expect([answer.status, answer.json.error.detail]).toEqual([413, expect.stringContaining('1000 bytes')]);
    const unending = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    const init = {
      method: 'PATCH',
      headers: { ...by().headers, 'content-type': PART_TYPE, 'upload-offset': '0' },
      body: unending,
      duplex: 'half',
      signal: AbortSignal.timeout(20_000),
    };
    // Refused, or cut off because it does not end.
    const status = await fetch(by().address(id), init).then(
      (response) => response.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect((await by().state(id)).offset).toBe('0');
    await by().remove(id);
  });

  it('about the kind are found out with the first bytes, before anything is saved', async () => {
    expect((await by().begin({ bytes: 10, filename: 'a.exe' })).status).toBe(415);
    expect((await by().begin({ bytes: 10, filename: 'a.svg' })).status).toBe(415);
    const id = await by().sent(Buffer.from('<script>alert(1)</script>'), { filename: 'a.png' });
    expect((await by().finish(id)).status).toBe(415);
    await by().remove(id);
  });

  it('about the protocol are refused', async () => {
    const id = await by().begun(1_000);
    const send = (other: Record<string, string>) => by().append(id, 0, Buffer.alloc(10), other);
    expect((await send({ 'tus-resumable': '0.2.0' })).status).toBe(412);
    expect((await send({ 'content-type': 'application/json' })).status).toBe(400);
    expect((await send({ 'content-type': 'application/octet-stream' })).status).toBe(415);
    const create = (headers: Record<string, string>) =>
      fetch(`${world.url}/v1/uploads/${cast.workspaceId}`, {
        method: 'POST',
        headers: { ...by().headers, ...headers },
      });
    expect((await create({})).status).toBe(400);
    expect((await create({ 'upload-length': '10', 'upload-metadata': '' })).status).toBe(400);
    expect((await create({ 'upload-length': '10', 'upload-metadata': 'filename %%%' })).status).toBe(400);
    await by().remove(id);
  });

  it('about the end are refused until everything is there', async () => {
    const id = await by().begun(1_000);
    await by().append(id, 0, Buffer.alloc(999));
    const early = await by().finish(id);
    expect([early.status, early.json.error.detail]).toEqual([409, 'file: 999 of 1000 bytes have arrived']);
    await by().remove(id);
  });
});

describe('an upload of another person', () => {
  it('is not there, for members, strangers and keys', async () => {
    const { bob, eve, evesWorkspaceId, rita } = cast;
    const id = await by().begun(1_000);
    await by().append(id, 0, Buffer.alloc(100));
    for (const other of [by(bob), by(eve, evesWorkspaceId)]) {
      expect((await other.state(id)).status).toBe(404);
      expect((await other.append(id, 100, Buffer.alloc(10))).status).toBe(404);
      expect((await other.remove(id)).status).toBe(404);
      expect((await other.finish(id)).status).toBe(404);
    }
    expect((await by(bob).begin({ bytes: 1_000, id })).status).toBe(404);
    for (const call of ['state', 'remove', 'finish'] as const)
      expect((await by(eve)[call](id)).status).toBe(403);
    expect((await by({ token: '' }).state(id)).status).toBe(401);
    expect((await by(rita).begin({ bytes: 10 })).status).toBe(403);
    const key = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['memories:read'],
    });
    expect((await by({ token: key.secret }).state(id)).status).toBe(403);
    // Also for a key of the same person that may write; it has uploads of its own.
    const writing = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['memories:write'],
    });
    for (const call of ['state', 'remove', 'finish'] as const)
      expect((await by({ token: writing.secret })[call](id)).status).toBe(404);
    expect((await by({ token: writing.secret }).begin({ bytes: 1_000, id })).status).toBe(404);
    const own = await by({ token: writing.secret }).begun(1_000);
    expect((await by().state(own)).status).toBe(404);
    expect((await by({ token: writing.secret }).remove(own)).status).toBe(204);
    expect((await by().state(id)).offset).toBe('100');
    await by().remove(id);
    expect((await by().state(id)).status).toBe(404);
  });

  it('who was removed in the middle goes no further', async () => {
    const { workspaceId, alice } = cast;
    const leaver = await newMember('leaver');
    const id = await by(leaver).begun(1_000);
    expect((await by(leaver).append(id, 0, Buffer.alloc(999))).status).toBe(204);
    await alice.api('workspace_member.remove', { params: { workspaceId, id: leaver.user.id } });
    expect((await by(leaver).append(id, 999, Buffer.alloc(1))).status).toBe(403);
    expect((await by(leaver).finish(id)).status).toBe(403);
  });

  it('into a space that may not be written is refused as a whole file is', async () => {
    const { workspaceId, bob } = cast;
    const hidden = await createBuild(cast).space({ name: 'Hidden', visibility: 'private' });
    const payload = { spaceId: hidden.id };
    const id = await by(bob).begun(20);
    await by(bob).append(id, 0, anyPdf(20));
    const inParts = await by(bob).finish(id, payload);
    const whole = await uploadFile(world, bob, { workspaceId, bytes: anyPdf(20), name: 'a.pdf', payload });
    expect([inParts.status, inParts.json.error.detail]).toEqual([whole.status, whole.json.error.detail]);
    expect((await by(bob).state(id)).offset).toBe('20');
    await by(bob).remove(id);
  });
});

describe('the limits', () => {
  it('are those of files', async () => {
    expect((await by().begin({ bytes: FILES.maxBytes + 1 })).status).toBe(413);
    expect((await by().begin({ bytes: 0 })).status).toBe(400);
  });

  it('hold for the unfinished uploads of a person, also for many at once', async () => {
    const dora = await newMember('dora');
    const room = Math.floor(PARTS.unfinishedMaxBytes / FILES.maxBytes);
    const answers = await Promise.all(
      Array.from({ length: room + 4 }, () => by(dora).begin({ bytes: FILES.maxBytes })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(room);
    const refused = answers.filter(({ status }) => status === 413);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.json.error.detail).toContain('2148 MB of uploads that are not finished');
    const [first] = answers.flatMap(({ status, json }) => (status === 201 ? [String(json.result.id)] : []));
    expect((await by(dora).remove(first ?? '')).status).toBe(204);
    expect((await by(dora).begin({ bytes: FILES.maxBytes })).status).toBe(201);
    // What others have begun does not count.
    const id = await by().begun(FILES.maxBytes);
    await by().remove(id);
  });

  it('are those of the workspace', async () => {
    const { workspaceId } = cast;
    const now = world.clock.now().toISOString();
    const full = { workspaceId, id: newId('upload'), hash: 'x', bytes: FILES.workspaceMaxBytes };
    await world.context.db
      .insertInto('upload')
      .values({ ...full, kind: 'pdf', createdBy: null, created: now, touched: now, stored: null })
      .execute();
    expect((await by().begin({ bytes: 10 })).status).toBe(413);
    await world.context.db.deleteFrom('upload').where('id', '=', full.id).execute();
  });
});
