/**
 * The guides of the API as a new developer follows them: the samples of each page, in their order and in every language,
 * as one program against a server, with nothing but a key and the name of the workspace.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '#shared/api-keys/scopes.ts';
import { SAMPLE_LANGUAGES, type SampleLanguage } from '#shared/openapi/sample-languages.ts';
import { SAMPLE_ORIGIN } from '#shared/openapi/samples.ts';
import { newWebhookSecret, signedHeaders } from '#server/webhooks/signature.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { decide, rawAs } from '#tests/support/oauth.ts';
import { takePort } from '#tests/support/ports.ts';
import { runSamples } from '#tests/support/sample-programs.ts';
import { installTools } from '#tests/support/tools.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const GUIDES = path.join(ROOT, 'content/docs/api');
const exec = promisify(execFile);
const SCOPES: readonly Scope[] = ['workspaces:read', 'memories:read', 'memories:write', 'search:read'];
const LANGUAGES: readonly SampleLanguage[] = ['curl', 'typescript', 'python'];

let world: World;
let cast: Cast;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  world = await createWorld();
  cast = await createCast(world);
  folder = mkdtempSync(path.join(os.tmpdir(), 'loci-guides-'));
  const { workspaceId, alice } = cast;
  const { secret } = await createKey(world, alice, { workspaceId, scopes: [...SCOPES] });
  env = { LOCI_KEY: secret, LOCI_WORKSPACE: workspaceId };
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

/** The blocks of a language in a guide, one after another. */
function programIn(guide: string, language: SampleLanguage): string {
  const text = readFileSync(path.join(GUIDES, `${guide}.md`), 'utf8');
  const fence = new RegExp(`^\`\`\`${SAMPLE_LANGUAGES[language].grammar}\\n(.*?)^\`\`\`$`, 'gms');
  const blocks = [...text.matchAll(fence)].map(([, block]) => block ?? '');
  if (blocks.length === 0) throw new Error(`${guide} has no sample in ${language}`);
  return blocks.join('\n').replaceAll(SAMPLE_ORIGIN, world.url);
}

async function run(language: SampleLanguage, text: string, more: Record<string, string> = {}) {
  const [outcome] = await runSamples(language, folder, [{ name: 'guide', text, env: { ...env, ...more } }]);
  return outcome;
}

describe('the first five minutes', () => {
  it.each(LANGUAGES)('save, find, list and follow in %s', async (language) => {
    const outcome = await run(language, programIn('quickstart', language));
    expect(outcome?.fault).toBe('');
    const printed = outcome?.output ?? '';
    const words =
      language === 'curl'
        ? ['"success":true', '"title":"Tide tables"', '"total":', '"action":"put"']
        : ['saved', 'found', 'listed', 'put'];
    for (const word of words) expect(printed).toContain(word);
    const { result } = await cast.alice.api('memory.list', {
      params: { workspaceId: cast.workspaceId },
      query: { tags: 'sea' },
    });
    expect(result.length).toBe(LANGUAGES.indexOf(language) + 1);
  });
});

describe('the sample that verifies a webhook', () => {
  const body = JSON.stringify({ type: 'webhook.test', data: { workspaceId: 'ws_x' } });
  const secret = newWebhookSecret();
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const CALLS: Record<SampleLanguage, string> = {
    curl: '',
    typescript:
      'console.log(isValid(process.env.LOCI_WEBHOOK_SECRET, JSON.parse(process.env.HEADERS), process.env.WEBHOOK_BODY) ? "valid" : "refused");',
    python:
      'import json, os\nprint("valid" if is_valid(os.environ["LOCI_WEBHOOK_SECRET"], json.loads(os.environ["HEADERS"]), os.environ["WEBHOOK_BODY"]) else "refused")',
  };
  const outcomeOf = async (language: SampleLanguage, headers: Record<string, string>, sent = body) => {
    const outcome = await run(language, `${programIn('webhooks', language)}\n${CALLS[language]}`, {
      LOCI_WEBHOOK_SECRET: secret,
      WEBHOOK_BODY: sent,
      HEADERS: JSON.stringify(headers),
      WEBHOOK_ID: headers['webhook-id'] ?? '',
      WEBHOOK_TIMESTAMP: headers['webhook-timestamp'] ?? '',
      WEBHOOK_SIGNATURE: headers['webhook-signature'] ?? '',
    });
    expect(outcome?.fault).toBe('');
    return outcome?.output.replaceAll(/['\n]/g, '');
  };

  it.each(LANGUAGES)('takes what the server signs and nothing else, in %s', async (language) => {
    const signed = signedHeaders(secret, { id: 'whd_1', at: minutesAgo(0), body });
    expect(await outcomeOf(language, signed)).toBe('valid');
    expect(await outcomeOf(language, signed, body.replace('ws_x', 'ws_y'))).toBe('refused');
    expect(
      await outcomeOf(language, signedHeaders(newWebhookSecret(), { id: 'whd_1', at: minutesAgo(0), body })),
    ).toBe('refused');
    expect(await outcomeOf(language, signedHeaders(secret, { id: 'whd_1', at: minutesAgo(10), body }))).toBe(
      'refused',
    );
  });
});

describe('a client that is generated from the description', () => {
  const generated = path.join(installTools(), 'openapi-typescript/bin/cli.js');
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const inFolder = (...args: string[]) =>
    exec(process.execPath, args, { cwd: place, env: { ...env, PATH: process.env['PATH'] } });
  const OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node'];
  const faultsOf = (file: string) =>
    inFolder(tsc, ...OPTIONS, '--target', 'es2024', file).then(
      () => '',
      (error: unknown) => String(Object(error).stdout),
    );

  // Not the folder of the samples, which has packages of its own.
  let place: string;
  beforeAll(() => {
    place = mkdtempSync(path.join(os.tmpdir(), 'loci-generated-'));
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(place, 'node_modules'));
    writeFileSync(path.join(place, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => rmSync(place, { recursive: true }));

  it('compiles, refuses what the API does not have, and works', async () => {
    await inFolder(generated, `${world.url}/v1/openapi.json`, '--output', 'loci.d.ts');
    const program = programIn('client', 'typescript').split("import createClient from 'openapi-fetch';")[1];
    const text = `import createClient from 'openapi-fetch';${program}`;
    writeFileSync(path.join(place, 'generated.ts'), text);
    expect(await faultsOf('generated.ts')).toBe('');
    for (const [right, wrong] of [
      ['/v1/memories/{workspaceId}', '/v1/memory/{workspaceId}'],
      ['perPage: 50', "perPage: 'all'"],
      ["'link'", "'film'"],
      ['memory.title', 'memory.heading'],
    ] as const) {
      expect(text).toContain(right);
      writeFileSync(path.join(place, 'wrong.ts'), text.replace(right, wrong));
      expect(await faultsOf('wrong.ts')).toMatch(/^wrong\.ts\(/);
    }
    const { stdout } = await inFolder('generated.ts');
    expect(stdout).toMatch(/^saved mem_\w+\n(listed .*\n)*listed Tide tables\n/);
  });
});

describe('the whole app', () => {
  const COMMANDS: Record<SampleLanguage, readonly [string, string]> = {
    curl: ['sh', 'app.sh'],
    typescript: [process.execPath, 'app.ts'],
    python: ['python3', 'app.py'],
  };

  it.each(LANGUAGES)('registers, is let in, and renews its token in %s', async (language) => {
    const port = await takePort();
    const [command, file] = COMMANDS[language];
    const text = programIn('oauth', language).replaceAll('8976', String(port));
    // Earlier samples of the page are calls of their own.
    const whole = language === 'curl' ? text.slice(text.indexOf('server=')) : text;
    writeFileSync(path.join(folder, file), whole);
    const child = spawn(command, [file], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => String((await lines.next()).value);
    const url = new URL(await next());
    const back = await decide(cast.alice, { url }, { workspaceId: cast.workspaceId });
    if (language === 'curl') child.stdin.end(`${back.searchParams.get('code')}\n`);
    else expect((await fetch(back)).status).toBe(200);
    const [, token = ''] = /^token (\S+)$/.exec(await next()) ?? [];
    expect(await ended).toEqual([0, null]);
    const listed = await rawAs(world, token)('GET', `/v1/memories/${cast.workspaceId}`);
    expect(listed.status).toBe(200);
  });
});
