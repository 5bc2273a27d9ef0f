/** The program from outside: signals end it in order, and a kill does not hurt. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { startServerProcess, type ServerProcess } from '#tests/support/server-process.ts';
import { describeLong, itLong } from '#tests/support/long-test.ts';

beforeAll(ensureBuilt, 300_000);

describeLong('a server in production without a mail server', () => {
  it('warns once that no mail leaves it', async () => {
    const database = await createTestDatabase();
    const production = { LOCI_ENV: 'production', DRAIN_SECONDS: '0', DATABASE_URL: database.url };
    const server = await startServerProcess({ env: production });
    try {
      expect(server.output().split('SMTP_URL is not set')).toHaveLength(2);
    } finally {
      await server.dispose();
    }
    const smtp = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@loci.example' };
    const withMail = await startServerProcess({ env: { ...production, ...smtp } });
    try {
      expect(withMail.output()).not.toContain('SMTP_URL');
    } finally {
      await withMail.dispose();
      await database.drop();
    }
  });
});

describe('a server with the embedded database', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess();
  });
  afterAll(() => server.dispose());

  it('prints where it listens and how to sign in to the demo, which works', async () => {
    expect(server.output()).toContain(`Loci is ready at ${server.url}\n`);
    const [, email, password] = /^Sign in as (\S+) with the password (\S+)$/m.exec(server.output()) ?? [];
    const answer = await fetch(`${server.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { success: true }]);
  });

  it('says nothing about mail, which its outbox shows', () => {
    expect(server.output()).not.toContain('SMTP_URL');
  });

  it('is ready again after kill -9, on the database that went on running', async () => {
    await server.kill();
    await server.start();
    expect(server.output()).toContain('Adopted the running embedded database');
  });

  it('finishes a request that is under way before it ends, and waits for no connection on which nothing was asked', async () => {
    const silent = connect(server.port, '127.0.0.1');
    await once(silent, 'connect');
    const silentClosed = once(silent, 'close');
    const socket = connect(server.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'not the password' });
    const head = ['POST /v1/auth/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
    const length = `Content-Length: ${body.length}`;
    socket.write([...head, length, 'Expect: 100-continue', '', body.slice(0, 10)].join('\r\n'));
    await expect.poll(() => answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    answer = '';
    const stopped = server.stop();
    const isUp = () => fetch(`${server.url}/healthz`).then(Boolean, () => false);
    await expect.poll(isUp).toBe(false);
    await silentClosed;
    socket.write(body.slice(10));
    expect(await stopped).toBe(0);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(answer).toContain('"success":false');
    await server.start();
  });

  itLong('ends with status 0 on SIGTERM, and starts again', async () => {
    expect(await server.stop()).toBe(0);
    await server.start();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
});

describeLong('a server with an external database', () => {
  it('needs nothing but DATABASE_URL, and starts no PostgreSQL of its own', async () => {
    const database = await createTestDatabase();
    expect(database.url).toContain(new URL(inject('postgresUrl')).host);
    const server = await startServerProcess({ env: { DATABASE_URL: database.url } });
    try {
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect(await server.stop()).toBe(0);
      expect(server.output()).not.toContain('embedded');
    } finally {
      await server.dispose();
      await database.drop();
    }
  });
});
