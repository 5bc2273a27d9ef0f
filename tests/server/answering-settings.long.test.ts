/** Who writes the answers of a workspace: chosen by owners and admins, with a key that goes in and never comes out. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import nodePath from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '#server/config.ts';
import { createSecretBox } from '#server/sealed-text.ts';
import { answerMessage } from '#server/threads/answer-message.ts';
import { createRaw, type Agent } from '#tests/support/agent.ts';
import { serviceEnv, startAnswerService, type AnswerService } from '#tests/support/answer-service.ts';
import { createBuild, createCast, join, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const KEY = 'sk-own-key-of-the-workspace-7f3e';
const SECRETS_KEY = 'a secret of the server that has many characters';

let servers: AnswerService;
let own: AnswerService;
let world: World;
let cast: Cast;

beforeAll(async () => {
  [servers, own] = await Promise.all([startAnswerService(), startAnswerService()]);
  world = await createWorld({ env: { ...serviceEnv(servers), EGRESS: 'private', SECRETS_KEY } });
});
afterAll(async () => {
  await world.close();
  await Promise.all([servers.close(), own.close()]);
});
beforeEach(async () => {
  cast = await createCast(world);
  for (const [service, words] of [
    [servers, 'The server says [1].'],
    [own, 'The workspace says [1].'],
  ] as const) {
    service.requests.length = 0;
    service.behave((reply) => {
      reply.say(words);
      reply.finish({ prompt_tokens: 10, completion_tokens: 2 });
    });
  }
});

const path = () => `/v1/answering/${cast.workspaceId}/settings`;
const ownService = (fields = {}) => ({
  provider: 'openai-compatible',
  url: own.url,
  model: 'owl',
  apiKey: KEY,
  ...fields,
});
const put = (body: unknown, { raw } = cast.alice) => raw('PUT', path(), { body });
const test = (body: unknown, { raw } = cast.alice) => raw('POST', `${path()}/test`, { body });
const settings = async ({ raw } = cast.alice) => (await raw('GET', path())).json?.result;

async function answered({ context } = world): Promise<string> {
  const build = createBuild(cast);
  await build.memory({ title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' });
  const thread = await build.thread({ visibility: 'private' });
  const inThread = { workspaceId: cast.workspaceId, threadId: thread.id };
  const { result } = await cast.alice.api('message.create', {
    params: inThread,
    body: { content: 'How hot does the kiln burn?' },
  });
  await answerMessage(context, { workspaceId: cast.workspaceId, messageId: result.message.id });
  const messages = await cast.alice.api('message.list', { params: inThread });
  return messages.result.find(({ role }) => role === 'assistant')?.content ?? '';
}

describe('the writer of answers', () => {
  it('is the model of the server until a workspace chooses its own, or none', async () => {
    expect(await settings()).toMatchObject({ provider: 'server', server: { name: 'parrot' }, hasKey: false });
    expect(await answered()).toBe('The server says \\[1\\].');
    expect((await put(ownService())).status).toBe(200);
    expect(await answered()).toBe('The workspace says \\[1\\].');
    expect(own.requests[0]).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'owl' },
    });
    const who = await cast.rita.api('answering.get', { params: { workspaceId: cast.workspaceId } });
    expect(who.result.model).toEqual({ name: 'owl', host: new URL(own.url).host });
    await put({ provider: 'none' });
    expect(await answered()).toContain('The kiln burns at 1240 degrees.');
    expect([servers.requests.length, own.requests.length]).toEqual([1, 1]);
    await put({ provider: 'server' });
    expect(await answered()).toBe('The server says \\[1\\].');
    // Both count in the month of the workspace.
    world.clock.advance(6 * 60_000);
    const { result } = await cast.alice.api('workspace.usage', { params: { workspaceId: cast.workspaceId } });
    expect(result.ai).toMatchObject({ calls: 3, tokensIn: 30, tokensOut: 6 });
  });

  it('shows of a key its last four characters, and stores it encrypted', async () => {
    const { json, text } = await put(ownService());
    expect(json?.result).toMatchObject({ hasKey: true, keyEnd: KEY.slice(-4), model: 'owl' });
    expect(text + JSON.stringify(await settings())).not.toContain(KEY);
    const { rows } = await sql<Record<string, unknown>>`
      select * from "answering_setting" where "workspaceId" = ${cast.workspaceId}`.execute(world.context.db);
    expect(JSON.stringify(rows)).not.toContain(KEY);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(KEY).toString('base64'));
    const audit = await cast.alice.api('audit.list', {
      params: { workspaceId: cast.workspaceId },
      query: { action: 'answering.changed' },
    });
    expect(audit.result[0]?.details).toEqual({
      from: 'server',
      to: 'openai-compatible',
      model: 'owl',
      describes: false,
      last4: KEY.slice(-4),
      host: new URL(own.url).host,
    });
    // Of a short one not even that.
    await put(ownService({ apiKey: 'short' }));
    expect(await settings()).toMatchObject({ hasKey: true, keyEnd: null });
  });

  it('keeps a key for the service that it was given for, and takes it nowhere else', async () => {
    await put(ownService());
    await put(ownService({ model: 'hawk', apiKey: undefined }));
    expect(await settings()).toMatchObject({ model: 'hawk', hasKey: true });
    const thief = await startAnswerService();
    expect((await test(ownService({ url: thief.url, apiKey: undefined }))).json?.result).toMatchObject({
      problem: null,
    });
    expect(thief.requests[0]?.headers['authorization']).toBeUndefined();
    expect((await put({ provider: 'anthropic', model: 'claude' })).json?.error?.detail).toBe(
      'apiKey: Required',
    );
    await put(ownService({ url: thief.url, apiKey: undefined }));
    expect(await settings()).toMatchObject({ url: thief.url, hasKey: false, keyEnd: null });
    await thief.close();
    await put(ownService());
    await put(ownService({ apiKey: null }));
    expect(await settings()).toMatchObject({ hasKey: false });
  });

  it('says so where its key can no longer be read, and passages answer', async () => {
    await put(ownService());
    const other = await createWorld({
      database: world.database,
      env: { EGRESS: 'private', SECRETS_KEY: SECRETS_KEY.toUpperCase() },
    });
    expect(await answered(other)).toMatch(/did not answer.*The kiln burns at 1240 degrees/s);
    await other.close();
    expect(own.requests).toEqual([]);
    // A key of another workspace does not fit either.
    const [first] = [cast];
    cast = await createCast(world);
    await put(ownService());
    await sql`update "answering_setting" set "sealedKey" = (
      select "sealedKey" from "answering_setting" where "workspaceId" = ${first.workspaceId})
      where "workspaceId" = ${cast.workspaceId}`.execute(world.context.db);
    expect((await test(ownService({ apiKey: undefined }))).json?.error?.detail).toContain('Enter it again');
    expect(own.requests).toEqual([]);
  });
});

describe('a test of a service', () => {
  it('shows what it said', async () => {
    expect((await test(ownService())).json?.result).toEqual({
      answer: 'The workspace says [1].',
      problem: null,
    });
    expect(await settings()).toMatchObject({ provider: 'server' });
  });

  it.each([
    ['refuses', 'Check the address, the key and the name of the model'],
    ['sends a page', 'could not be understood'],
    ['says nothing', 'answered with nothing'],
    ['sends elsewhere', 'could not be reached'],
  ])('that %s says why, and repeats nothing of its words', async (what, problem) => {
    own.behave((reply) => {
      if (what === 'refuses') reply.refuse(401, `Wrong key ${KEY}`);
      else if (what === 'says nothing') reply.finish();
      else if (what === 'sends a page') {
        reply.raw('<!doctype html><title>Secret page</title>');
        reply.res.end();
      } else {
        reply.res.writeHead(307, { location: `${servers.url}/chat/completions` });
        reply.res.end();
      }
    });
    const { json, text } = await test(ownService());
    expect(json?.result).toMatchObject({ answer: null, problem: expect.stringContaining(problem) });
    expect(text).not.toMatch(/Secret|Wrong/);
    expect(servers.requests).toEqual([]);
  });
});

describe('it cannot be seen or changed by', () => {
  const refusals = async (agent: Pick<Agent, 'raw'>) =>
    Promise.all([
      agent.raw('GET', path()),
      agent.raw('PUT', path(), { body: ownService() }),
      agent.raw('POST', `${path()}/test`, { body: ownService() }),
    ]).then((answers) => answers.map(({ status }) => status));

  it('members, readers, strangers and API keys', async () => {
    for (const agent of [cast.bob, cast.rita, cast.eve])
      expect(await refusals(agent)).toEqual([403, 403, 403]);
    const key = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['workspaces:read'],
    });
    expect(await refusals(key)).toEqual([403, 403, 403]);
    expect(own.requests).toEqual([]);
    expect(await settings()).toMatchObject({ provider: 'server' });
  });

  it('a body that names no whole service', async () => {
    for (const [body, field] of [
      [{ provider: 'parrot' }, 'provider'],
      [ownService({ url: null }), 'url'],
      [ownService({ url: 'file:///etc/passwd' }), 'url'],
      [ownService({ url: 'http://me:word@127.0.0.1/' }), 'url'],
      [ownService({ model: null }), 'model'],
      [ownService({ model: 'x'.repeat(500) }), 'model'],
      [ownService({ apiKey: 'two\r\nlines: yes' }), 'apiKey'],
      [ownService({ apiKey: 'x'.repeat(5_000) }), 'apiKey'],
      [{ provider: 'google', url: own.url, model: 'm', apiKey: KEY }, 'url'],
    ] as const) {
      const { status, json } = await put(body);
      expect([status, json?.error?.detail]).toEqual([
        expect.toBeOneOf([400, 422]),
        expect.stringMatching(new RegExp(`^${field}`)),
      ]);
    }
  });

  it('but by an admin, and two at once leave one whole choice', async () => {
    await join(world, cast.workspaceId, cast.eve, 'admin');
    const answers = await Promise.all([put(ownService()), put({ provider: 'none' }, cast.eve)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const { provider, url, hasKey } = {
      url: null,
      hasKey: false,
      provider: '',
      ...((await settings()) as object),
    };
    expect([
      ['none', null, false],
      ['openai-compatible', own.url, true],
    ]).toContainEqual([provider, url, hasKey]);
  });
});

describe('the way out', () => {
  it('is guarded: private addresses only where the operator allows them, and keys only encrypted', async () => {
    const guarded = await createWorld({ database: world.database, env: { EGRESS: 'public', SECRETS_KEY } });
    const alice = await sign(guarded);
    const detail = async (body: unknown) => (await alice('PUT', path(), { body })).json?.error?.detail;
    expect(await detail(ownService())).toContain('Must be a public http or https address');
    expect(await detail(ownService({ url: 'http://169.254.169.254/v1' }))).toContain('Must be a public');
    expect(await detail(ownService({ url: 'http://models.example/v1' }))).toContain(
      'Must begin with https://',
    );
    // A name that leads to a private address is found out when it is reached.
    const { json } = await alice('POST', `${path()}/test`, {
      body: ownService({ url: 'http://localhost/v1', apiKey: null }),
    });
    expect(json?.result).toEqual({ answer: null, problem: 'This server may not reach that address.' });
    await guarded.close();
    const closed = await createWorld({ database: world.database });
    const { json: off } = await (await sign(closed))('PUT', path(), { body: ownService() });
    expect(off?.error?.detail).toBe('url: This server sends nothing to other servers');
    await closed.close();
  });

  it('stays shut for keys where the operator has set nothing to encrypt them with', async () => {
    const bare = await createWorld({ database: world.database, env: { EGRESS: 'private' } });
    const alice = await sign(bare);
    expect((await alice('GET', path())).json?.result).toMatchObject({ keepsKeys: false });
    const { json } = await alice('PUT', path(), { body: ownService() });
    expect(json?.error?.detail).toContain('SECRETS_KEY');
    expect((await alice('PUT', path(), { body: ownService({ apiKey: null }) })).status).toBe(200);
    await bare.close();
  });

  const sign = async (other: World) => createRaw(other, cast.alice.token);
});

describe('the box of secrets', () => {
  const folder = (dataDir: string) => createSecretBox({ ...parseConfig({ DATA_DIR: dataDir }), dataDir });

  it('makes its key once beside the embedded database, for its owner alone', () => {
    const dataDir = mkdtempSync(nodePath.join(os.tmpdir(), 'loci-secrets-'));
    const sealed = folder(dataDir).seal('text', 'here');
    expect(sealed).not.toContain('text');
    expect(folder(dataDir).open(sealed, 'here')).toBe('text');
    expect(folder(dataDir).open(sealed, 'there')).toBeUndefined();
    expect(folder(dataDir).open(`${sealed.slice(0, -6)}AAAA==`, 'here')).toBeUndefined();
    expect(statSync(nodePath.join(dataDir, 'secrets.key')).mode & 0o777).toBe(0o600);
    rmSync(nodePath.join(dataDir, 'secrets.key'));
    expect(folder(dataDir).open(sealed, 'here')).toBeUndefined();
    rmSync(dataDir, { recursive: true });
  });
});
