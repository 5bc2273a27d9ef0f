/** Commands that bring in and take out: save, import and export. */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { titleOf } from './reading.ts';
import {
  PER_PAGE,
  POLL_MS,
  spaceOf,
  UsageError,
  type Call,
  type Given,
  type Row,
  type Session,
} from './session.ts';

/** Words that are the name of a file are that file. */
async function contentOf(
  words: readonly string[],
): Promise<{ body: Row; file?: { name: string; bytes: Uint8Array } }> {
  const [first = ''] = words;
  if (words.length > 1) return { body: { notes: words.join(' ') } };
  if (first === '-') return { body: { notes: await readAll(process.stdin) } };
  if (/^https?:\/\/\S+$/.test(first.trim())) return { body: { url: first.trim() } };
  const found = await stat(first).catch(() => undefined);
  if (found?.isDirectory()) throw new UsageError(`${first} is a folder`);
  if (!found?.isFile()) return { body: { notes: first } };
  return { body: {}, file: { name: path.basename(first), bytes: await readFile(first) } };
}

export async function save(given: Given): Promise<void> {
  const { title, tag } = given.values;
  const { body, file } = await contentOf(given.words);
  if (typeof body['notes'] === 'string' && body['notes'].trim() === '')
    throw new UsageError('There is nothing to save');
  const session = await given.open();
  const spaceId = await spaceOf(session, given);
  const { result, meta } = await session.call('memory.create', {
    body: {
      ...body,
      workspaceId: session.workspaceId,
      ...(title !== undefined && { title }),
      ...(tag !== undefined && { tags: tag }),
      ...(spaceId !== undefined && { spaceId }),
    },
    ...(file && { file, headers: { 'x-upload': 'file' } }),
  });
  const { id }: Row = Object(result);
  process.stdout.write(`${meta['duplicate'] === true ? 'Saved before' : 'Saved'} ${String(id)}\n`);
}

export async function importArchive({ words: [file = ''], open }: Given): Promise<void> {
  const bytes = await readFile(file);
  const { call, workspaceId } = await open();
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

export async function exportTo({ words: [target = ''], values, open }: Given): Promise<void> {
  const session = await open();
  if (/\.zip$/i.test(target)) await exportArchive(session, target, values['without-files'] !== true);
  else await exportFolder(session, target);
}

/** Has the server make the archive, and stores it unmodified. */
async function exportArchive(
  { url: server, call, workspaceId }: Session,
  target: string,
  includeFiles: boolean,
): Promise<void> {
  const { id }: Row = Object((await call('export.create', { body: { workspaceId, includeFiles } })).result);
  for (;;) {
    const job: Row = Object((await call('export.get', { params: { workspaceId, id } })).result);
    const { url }: Row = Object(job['download']);
    // The server's own address may differ from the one used by this machine.
    if (typeof url === 'string') return saveFile(new URL(new URL(url).pathname, server), target);
    if (job['status'] !== 'pending' && job['status'] !== 'running')
      throw new Error(`The export failed: ${String(job['error'] ?? job['status'])}`);
    await sleep(POLL_MS);
  }
}

async function saveFile(url: URL, target: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new Error(`The download failed: ${response.status}`);
  // An interrupted download leaves no partial archive under the name.
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
    // In the order of creation, so that memories saved meanwhile shift no page.
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

/** The id makes names unique. */
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
