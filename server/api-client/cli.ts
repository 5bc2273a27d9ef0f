/** The command line on the client: save, search, import, export, and login, which stores where the server is and a key. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LociError, type Answer, type ClientOptions } from '#shared/api-client.ts';

type Call = (name: string, request?: Record<string, unknown>) => Promise<Answer>;
type CreateClient = (options: ClientOptions) => Call;
type Row = Record<string, unknown>;

const USAGE = `Usage: loci <command>

  login <url>              stores the address and the API key from LOCI_KEY or standard input
  save <url | text | ->    saves a link or a note   --title, --tag (repeatable), --space
  search <query>           searches                 --json
  import <archive.zip>     imports Markdown files, or an export of Loci
  export <archive.zip>     downloads the workspace as one archive   --without-files
  export <folder>          writes every memory as a Markdown file

LOCI_URL, LOCI_KEY and LOCI_WORKSPACE replace what login has stored.
`;

const POLL_MS = 500;
const PER_PAGE = 100;

/** A mistake of the person, shown without a stack. */
class UsageError extends Error {}

interface Session {
  /** Address of the server. */
  url: string;
  call: Call;
  workspaceId: string;
}

const configFile = (): string =>
  path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(os.homedir(), '.config'), 'loci', 'config.json');

/** Runs one command; returns the exit code. */
export async function run(createClient: CreateClient, args: readonly string[]): Promise<number> {
  const [command = '', ...rest] = args;
  const commands: Record<string, (rest: string[]) => Promise<void>> = {
    login: (given) => login(createClient, given),
    save: (given) => save(createClient, given),
    search: (given) => search(createClient, given),
    import: (given) => importArchive(createClient, given),
    export: (given) => exportTo(createClient, given),
  };
  const found = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!found) {
    process.stderr.write(USAGE);
    return command === '' || command === 'help' || command === '--help' ? 0 : 2;
  }
  try {
    await found(rest);
    return 0;
  } catch (error) {
    const isExpected = error instanceof UsageError || error instanceof LociError;
    process.stderr.write(`${isExpected ? error.message : String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function login(createClient: CreateClient, [url]: string[]): Promise<void> {
  if (url === undefined || !URL.canParse(url)) throw new UsageError('Say which server: loci login https://…');
  const key = (process.env['LOCI_KEY'] ?? (await readAll(process.stdin))).trim();
  if (key === '') throw new UsageError('Pass an API key in LOCI_KEY or on standard input');
  const { result } = await createClient({ url, token: key })('workspace.list');
  const [workspace]: Row[] = Object(result);
  if (!workspace) throw new UsageError('This key opens no workspace');
  const file = configFile();
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify({ url, key, workspaceId: workspace['id'] }, null, 2), { mode: 0o600 });
  process.stdout.write(`Signed in to ${String(workspace['name'])}\n`);
}

async function openSession(createClient: CreateClient): Promise<Session> {
  const stored: Row = await readFile(configFile(), 'utf8').then(
    (text) => Object(JSON.parse(text)),
    () => ({}),
  );
  const url = process.env['LOCI_URL'] ?? stored['url'];
  const token = process.env['LOCI_KEY'] ?? stored['key'];
  if (typeof url !== 'string' || typeof token !== 'string')
    throw new UsageError('Sign in first: loci login <url>');
  const call = createClient({ url, token });
  const workspaceId = process.env['LOCI_WORKSPACE'] ?? stored['workspaceId'];
  if (typeof workspaceId === 'string') return { url, call, workspaceId };
  const [workspace]: Row[] = Object((await call('workspace.list')).result);
  if (!workspace) throw new UsageError('This key opens no workspace');
  return { url, call, workspaceId: String(workspace['id']) };
}

async function save(createClient: CreateClient, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      title: { type: 'string' },
      space: { type: 'string' },
      tag: { type: 'string', multiple: true },
    },
  });
  const given =
    positionals.length === 1 && positionals[0] === '-' ? await readAll(process.stdin) : positionals.join(' ');
  if (given.trim() === '') throw new UsageError('Say what to save: a link, a text, or - for standard input');
  const { call, workspaceId } = await openSession(createClient);
  const isLink = /^https?:\/\/\S+$/.test(given.trim());
  const { result, meta } = await call('memory.create', {
    body: {
      workspaceId,
      ...(isLink ? { url: given.trim() } : { notes: given }),
      ...(values.title !== undefined && { title: values.title }),
      ...(values.tag && { tags: values.tag }),
      ...(values.space !== undefined && { spaceId: values.space }),
    },
  });
  const { id }: Row = Object(result);
  process.stdout.write(`${meta['duplicate'] === true ? 'Saved before' : 'Saved'} ${String(id)}\n`);
}

async function search(createClient: CreateClient, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  if (positionals.length === 0) throw new UsageError('Say what to search for');
  const { call, workspaceId } = await openSession(createClient);
  const { result } = await call('memory.search', { body: { workspaceId, query: positionals.join(' ') } });
  const rows: Row[] = Object(result);
  if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else for (const row of rows) process.stdout.write(`${String(row['id'])}  ${titleOf(row)}\n`);
}

function titleOf({ title, url }: Row): string {
  if (typeof title === 'string') return title;
  return typeof url === 'string' ? url : 'Untitled';
}

async function importArchive(createClient: CreateClient, [file]: string[]): Promise<void> {
  if (file === undefined) throw new UsageError('Say which archive to import');
  const { call, workspaceId } = await openSession(createClient);
  const bytes = await readFile(file);
  const { result } = await call('import.create', {
    body: { workspaceId },
    file: { name: path.basename(file), bytes },
  });
  const { id }: Row = Object(result);
  for (;;) {
    const job: Row = Object((await call('import.get', { params: { workspaceId, id } })).result);
    if (job['status'] === 'failed') throw new Error(`The import failed: ${String(job['error'])}`);
    if (job['status'] === 'completed') {
      process.stdout.write(`Imported ${String(job['imported'])}, updated ${String(job['updatedCount'])}\n`);
      return;
    }
    await sleep(POLL_MS);
  }
}

async function exportTo(createClient: CreateClient, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'without-files': { type: 'boolean' } },
  });
  const [target] = positionals;
  if (target === undefined) throw new UsageError('Say into which archive or folder to export');
  const session = await openSession(createClient);
  if (/\.zip$/i.test(target)) await exportArchive(session, target, values['without-files'] !== true);
  else await exportFolder(session, target);
}

/** Has the server make the archive, and stores it as it comes. */
async function exportArchive(
  { url: server, call, workspaceId }: Session,
  target: string,
  includeFiles: boolean,
): Promise<void> {
  const { id }: Row = Object((await call('export.create', { body: { workspaceId, includeFiles } })).result);
  for (;;) {
    const job: Row = Object((await call('export.get', { params: { workspaceId, id } })).result);
    const { url }: Row = Object(job['download']);
    // The server may know itself by another name than this machine does.
    if (typeof url === 'string') return saveFile(new URL(new URL(url).pathname, server), target);
    if (job['status'] !== 'pending' && job['status'] !== 'running')
      throw new Error(`The export failed: ${String(job['error'] ?? job['status'])}`);
    await sleep(POLL_MS);
  }
}

async function saveFile(url: URL, target: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new Error(`The download failed: ${response.status}`);
  // A download that breaks off leaves no half of an archive under the name.
  const unfinished = `${target}.part`;
  try {
    await writeFile(unfinished, response.body);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  process.stdout.write(`Wrote ${target}\n`);
}

async function exportFolder({ call, workspaceId }: Session, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  let written = 0;
  for (let page = 1; ; page += 1) {
    // In the order of creation, so that what is saved meanwhile moves nothing to another page.
    const query = { page, perPage: PER_PAGE, order: 'asc' };
    const rows: Row[] = Object((await call('memory.list', { params: { workspaceId }, query })).result);
    for (const row of rows) {
      const whole = row['notes'] === null && row['bodyHash'] !== null ? await readWhole(call, row) : row;
      await writeFile(path.join(folder, fileNameOf(whole)), markdownOf(whole));
      written += 1;
    }
    if (rows.length < PER_PAGE) break;
  }
  process.stdout.write(`Wrote ${written} ${written === 1 ? 'memory' : 'memories'} to ${folder}\n`);
}

/** Long notes are no part of lists. */
async function readWhole(call: Call, { workspaceId, id }: Row): Promise<Row> {
  return Object((await call('memory.get', { params: { workspaceId, id } })).result);
}

/** The id keeps names apart. */
function fileNameOf(row: Row): string {
  const title = titleOf(row)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${title || 'untitled'}-${String(row['id']).slice(-8)}.md`;
}

function markdownOf(row: Row): string {
  const head = ['title', 'url', 'tags', 'created'].flatMap((field) =>
    row[field] === null || row[field] === undefined ? [] : [`${field}: ${JSON.stringify(row[field])}`],
  );
  return ['---', ...head, '---', '', typeof row['notes'] === 'string' ? row['notes'] : '', ''].join('\n');
}
