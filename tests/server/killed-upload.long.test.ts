/** The program is killed in the middle of a large file: after the next start the file goes on where it was. */
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PART_TYPE } from '#shared/capture/upload-limits.ts';
import { newId } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { partsAt } from '#tests/support/parts.ts';
import { joinServer, type Person } from '#tests/support/person.ts';
import { startServerProcess, type ServerProcess } from '#tests/support/server-process.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const MB = 1024 * 1024;

let database: TestDatabase;
let server: ServerProcess;
let person: Person;

beforeAll(async () => {
  await ensureBuilt();
  database = await createTestDatabase();
  server = await startServerProcess({ env: { DATABASE_URL: database.url } });
  person = await joinServer(server.url, 'marie');
});
afterAll(async () => {
  await server.dispose();
  await database.drop();
});

it('a large file survives the death of its server, and what was stored is not sent again', async () => {
  const { token, workspaceId, api } = person;
  const parts = partsAt({ url: server.url, token, workspaceId });
  const file = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(8 * MB)]);
  const id = newId('upload');
  expect((await parts.begin({ bytes: file.length, id })).status).toBe(201);
  expect((await parts.append(id, 0, file.subarray(0, 2 * MB))).status).toBe(204);
  // The next part is on its way, half of it stored, when the server dies.
  const dying = httpRequest(parts.address(id), {
    method: 'PATCH',
    headers: {
      ...parts.headers,
      'content-type': PART_TYPE,
      'upload-offset': String(2 * MB),
      'content-length': file.length - 2 * MB,
    },
  });
  dying.on('error', () => undefined);
  dying.write(file.subarray(2 * MB, 5.5 * MB));
  await waitFor(async () => expect(Number((await parts.state(id)).offset)).toBeGreaterThanOrEqual(4 * MB));
  await server.kill();
  dying.destroy();
  await server.start();

  const at = Number((await parts.begin({ bytes: file.length, id })).offset);
  expect(at).toBeGreaterThanOrEqual(4 * MB);
  expect(at).toBeLessThanOrEqual(5.5 * MB);
  expect((await parts.append(id, at, file.subarray(at))).status).toBe(204);
  const memoryId = newId('memory');
  const saved = await parts.finish(id, { id: memoryId });
  expect([saved.status, saved.json.result.id]).toEqual([201, memoryId]);
  const { result } = await api('memory.file', { params: { workspaceId, id: memoryId } });
  const answer = await fetch(`${server.url}${new URL(result.url).pathname}`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
});
