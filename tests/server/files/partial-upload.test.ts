/** Large files in parts: what they become, broken connections, and the end of patience. */
import { request as httpRequest } from 'node:http';
import { Upload } from 'tus-js-client';
import { describe, expect, it } from 'vitest';
import { PARTS, PART_TYPE } from '#shared/capture/upload-limits.ts';
import { FILES, IMPORT } from '#shared/capture/limits.ts';
import { newId } from '#shared/ids.ts';
import { runImport } from '#server/capture/import-run.ts';
import { removeExpiredUploads } from '#server/capture/partial-upload.ts';
import { createCast } from '#tests/support/build.ts';
import { anyPdf, partsAt } from '#tests/support/parts.ts';
import { fetchPublic, uploadFile } from '#tests/support/upload.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openWorld } from '#tests/support/world.ts';
import { zipOf } from '#tests/support/zip.ts';

const world = await openWorld();
const cast = await createCast(world);

const MB = 1024 * 1024;

const by = (person: { token: string } = cast.alice, workspaceId: string = cast.workspaceId) =>
  partsAt({ url: world.url, token: person.token, workspaceId });

/** How many pieces of an upload are stored. */
async function pieces(id: string): Promise<number> {
  const { db } = world.context;
  const rows = await db.selectFrom('partial_upload_piece').select(['uploadId', 'at']).execute();
  return rows.filter(({ uploadId }) => uploadId === id).length;
}

describe('a file in parts', () => {
  it('becomes the same memory as one that is sent whole', async () => {
    const { workspaceId, alice } = cast;
    const [one, other] = [anyPdf(3 * MB), anyPdf(3 * MB)];
    const payload = { tags: ['work'], notes: 'From the meeting', title: 'A report' };
    const whole = await uploadFile(world, alice, { workspaceId, bytes: one, name: 'a report.pdf', payload });
    const id = await by().sent(other, { filename: 'a report.pdf' });
    const inParts = await by().finish(id, payload);
    expect(inParts.status).toBe(201);
    const plain = ({
      id: _id,
      uploadId: _upload,
      created: _created,
      updated: _updated,
      ...rest
    }: Record<string, unknown>) => rest;
    expect(plain(inParts.json.result)).toEqual(plain(whole.json.result));
    const address = await alice.api('memory.file', { params: { workspaceId, id: inParts.json.result.id } });
    const answer = await fetchPublic(world, address.result.url);
    expect(Buffer.from(await answer.arrayBuffer()).equals(other)).toBe(true);
    expect(await pieces(id)).toBe(0);
  });

  it('that is there already is the same memory, whichever way it came', async () => {
    const file = anyPdf(MB);
    const first = await by().finish(await by().sent(file), { tags: ['one'] });
    const again = await by().finish(await by().sent(file), { id: newId('memory'), tags: ['two'] });
    expect([again.status, again.json.meta.duplicate, again.json.result.id]).toEqual([
      200,
      true,
      first.json.result.id,
    ]);
    expect(again.json.result.tags).toEqual(['one', 'two']);
    const { workspaceId, alice } = cast;
    const whole = await uploadFile(world, alice, { workspaceId, bytes: file, name: 'b.pdf' });
    expect([whole.status, whole.json.result.id]).toEqual([200, first.json.result.id]);
  });

  it('whose last answer was lost answers again, and is saved once', async () => {
    const id = await by().sent(anyPdf(MB));
    const memoryId = newId('memory');
    const answers = await Promise.all([1, 2, 3].map(() => by().finish(id, { id: memoryId })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const later = await by().finish(id, { id: memoryId });
    expect([...answers, later].map(({ json }) => json.result.id)).toEqual(Array(4).fill(memoryId));
    expect((await by().append(id, MB, Buffer.from('x'))).status).toBe(413);
  });

  it('that is a text becomes notes, as it would at once', async () => {
    const text = Buffer.from('# Leek soup\n\nLeeks first.');
    const { json } = await by().finish(await by().sent(text, { filename: 'soup.md' }));
    expect(json.result).toMatchObject({
      type: 'note',
      title: 'Leek soup',
      notes: 'Leeks first.',
      filename: 'soup.md',
    });
  });

  it('is sent by any client of the tus protocol, which finds out by itself where to go on', async () => {
    const file = anyPdf(3 * MB);
    const options = {
      endpoint: `${world.url}/v1/uploads/${cast.workspaceId}`,
      headers: { authorization: `Bearer ${cast.alice.token}` },
      metadata: { filename: 'tus.pdf' },
      chunkSize: MB,
      retryDelays: [],
    };
    const address = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(file, {
        ...options,
        onError: reject,
        onChunkComplete: () => void upload.abort().then(() => resolve(upload.url ?? ''), reject),
      });
      upload.start();
    });
    const id = address.split('/').at(-1) ?? '';
    const before = Number((await by().state(id)).offset);
    expect(before).toBeGreaterThanOrEqual(MB);
    let first: number | undefined;
    await new Promise<void>((resolve, reject) => {
      new Upload(file, {
        ...options,
        uploadUrl: address,
        onError: reject,
        onProgress: (done) => (first ??= done),
        onSuccess: () => resolve(),
      }).start();
    });
    expect(first).toBeGreaterThanOrEqual(before);
    expect((await by().finish(id)).status).toBe(201);
  });

  it('tells how far it is, also without a body', async () => {
    const id = await by().begun(MB);
    await by().append(id, 0, Buffer.alloc(10));
    const head = await fetch(by().address(id), { method: 'HEAD', headers: by().headers });
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '10',
      'upload-length': String(MB),
      'upload-expires': expect.stringMatching(/GMT$/),
      'cache-control': 'no-store',
    });
    expect((await by().state(id)).json.result).toMatchObject({
      id,
      received: 10,
      bytes: MB,
      filename: 'large.pdf',
    });
    await by().remove(id);
  });
});

describe('a broken connection', () => {
  it('costs nothing of what had arrived', async () => {
    const file = anyPdf(3 * MB);
    const id = await by().begun(file.length);
    const half = 1.5 * MB + 17;
    const broken = httpRequest(by().address(id), {
      method: 'PATCH',
      headers: {
        ...by().headers,
        'content-type': PART_TYPE,
        'upload-offset': '0',
        'content-length': file.length,
      },
    });
    broken.on('error', () => undefined);
    broken.write(file.subarray(0, half));
    // The first piece is stored while the connection is still open.
    await waitFor(async () => expect(Number((await by().state(id)).offset)).toBeGreaterThanOrEqual(MB));
    broken.destroy();
    await waitFor(async () => expect(Number((await by().state(id)).offset)).toBe(half));
    expect((await by().append(id, half, file.subarray(half))).status).toBe(204);
    const { json } = await by().finish(id);
    const { workspaceId, alice } = cast;
    const { result } = await alice.api('memory.file', { params: { workspaceId, id: json.result.id } });
    expect(Buffer.from(await (await fetchPublic(world, result.url)).arrayBuffer()).equals(file)).toBe(true);
  });

  it('leaves an upload that is found again under its id', async () => {
    const id = newId('upload');
    expect((await by().begin({ bytes: MB, id })).status).toBe(201);
    await by().append(id, 0, Buffer.alloc(1_000));
    const again = await by().begin({ bytes: MB, id });
    expect([again.status, again.offset, again.json.result.received]).toEqual([200, '1000', 1_000]);
    expect((await by().begin({ bytes: MB + 1, id })).status).toBe(409);
    expect((await by().begin({ bytes: MB, id, filename: 'other.pdf' })).status).toBe(409);
    await by().remove(id);
  });

  it('and two tabs that send the same leave one whole file', async () => {
    const file = anyPdf(2 * MB);
    const id = newId('upload');
    const tab = async () => {
      let { offset } = await by().begin({ bytes: file.length, id });
      let refused = 0;
      while (Number(offset) < file.length) {
        const at = Number(offset);
        const answer = await by().append(id, at, file.subarray(at, at + 256 * 1024));
        if (answer.status === 409) refused += 1;
        else expect(answer.status).toBe(204);
        ({ offset } = answer);
      }
      return refused;
    };
    const refusals = await Promise.all([tab(), tab()]);
    expect(refusals.reduce((sum, each) => sum + each)).toBeGreaterThan(0);
    const { status, json } = await by().finish(id);
    expect(status).toBe(201);
    const { workspaceId, alice } = cast;
    const { result } = await alice.api('memory.file', { params: { workspaceId, id: json.result.id } });
    expect(Buffer.from(await (await fetchPublic(world, result.url)).arrayBuffer()).equals(file)).toBe(true);
  });
});

// Last: it lets days pass.
it('an upload to which nothing is added for days is gone, with its pieces, and begins anew', async () => {
  const id = newId('upload');
  await by().begin({ bytes: 1_000, id });
  await by().append(id, 0, Buffer.alloc(500));
  world.clock.advance(PARTS.expiresMs / 2);
  await by().append(id, 500, Buffer.alloc(1));
  world.clock.advance(PARTS.expiresMs / 2 + 1);
  expect((await by().state(id)).offset).toBe('501');
  world.clock.advance(PARTS.expiresMs / 2);
  expect((await by().state(id)).status).toBe(404);
  expect((await by().append(id, 501, Buffer.alloc(1))).status).toBe(404);
  expect((await by().finish(id)).status).toBe(404);
  const anew = await by().begin({ bytes: 1_000, id });
  expect([anew.status, anew.offset]).toEqual([201, '0']);
  expect(await pieces(id)).toBe(0);
  await by().append(id, 0, Buffer.alloc(500));
  world.clock.advance(PARTS.expiresMs + 1);
  expect(await removeExpiredUploads(world.context.db, world.clock.now())).toBeGreaterThan(0);
  expect(await pieces(id)).toBe(0);
});

describe('an archive in parts', () => {
  const importing = async (id: string, person = cast.alice) => by(person).finish(id, {}, '/v1/imports');

  it('begins a single import, no matter who asks for it or how often', async () => {
    const archive = await zipOf([{ path: 'tides.md', bytes: '# Low water\n\nAt nine.' }]);
    const id = await by().sent(archive, { filename: 'notes.zip', purpose: 'import' });
    expect((await importing(id, cast.bob)).status).toBe(404);
    const answers = await Promise.all([importing(id), importing(id), importing(id)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      202, 404, 404,
    ]);
    const job = answers.find(({ status }) => status === 202)?.json.result;
    expect(job).toMatchObject({ filename: 'notes.zip', total: 1 });
    expect((await by().remove(id)).status).toBe(404);
    expect(await pieces(id)).toBeGreaterThan(0);
    await runImport(world.context, job.id);
    expect(await pieces(id)).toBe(0);
    const { workspaceId, alice } = cast;
    const { result } = await alice.api('import.get', { params: { workspaceId, id: job.id } });
    expect(result).toMatchObject({ status: 'completed', imported: 1 });
  });

  it('may be larger than a file, becomes none, and is refused where nothing may be imported', async () => {
    const large = { bytes: FILES.maxBytes + 1, filename: 'notes.zip' };
    expect((await by().begin(large)).status).toBe(413);
    expect((await by().begin({ ...large, purpose: 'import' })).status).toBe(201);
    const most = { ...large, bytes: IMPORT.maxArchiveBytes + 1, purpose: 'import' };
    expect((await by().begin(most)).status).toBe(413);
    expect((await by(cast.rita).begin({ ...large, purpose: 'import' })).status).toBe(403);
    expect((await by(cast.eve).begin({ ...large, purpose: 'import' })).status).toBe(403);
    expect((await by().begin({ ...large, purpose: 'other' })).status).toBe(400);
    const id = await by().sent(anyPdf(FILES.maxBytes + 1), { purpose: 'import' });
    expect((await by().finish(id)).status).toBe(413);
    const refused = await importing(id);
    expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid']);
    // It can be given up, or sent under its right name.
    expect((await by().remove(id)).status).toBe(204);
  });
});
