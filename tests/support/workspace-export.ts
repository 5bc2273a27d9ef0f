/** Exports of a workspace in tests: begun through the API, played by the test, and read from the finished zip. */
import { inMemory } from '#server/capture/archive-bytes.ts';
import { openArchive } from '#server/capture/archive.ts';
import { runExport } from '#server/capture/exports/export-run.ts';
import type { ArchiveRow } from '#server/capture/workspace-archive.ts';
import type { ExportShown } from '#shared/capture/export-job.ts';
import type { Id } from '#shared/ids.ts';
import type { RawRequest } from './agent.ts';
import { fetchPublic } from './upload.ts';
import type { World } from './world.ts';

/** Anyone with a credential. */
interface Asker {
  raw: RawRequest;
}

interface Order {
  workspaceId: Id<'workspace'>;
  includeFiles?: boolean;
}

const resultOf = <T>(answer: Awaited<ReturnType<RawRequest>>): T => {
  if (answer.json?.success !== true) throw new Error(`${answer.status}: ${answer.text}`);
  // The contract tests hold the result to its schema.
  return answer.json.result as T;
};

/** Begins an export. */
export async function beginExport({ raw }: Asker, order: Order): Promise<ExportShown> {
  return resultOf(await raw('POST', '/v1/exports', { body: order }));
}

/** How it stands. */
export async function readExport(
  { raw }: Asker,
  { workspaceId, id }: Pick<ExportShown, 'workspaceId' | 'id'>,
) {
  return resultOf<ExportShown>(await raw('GET', `/v1/exports/${workspaceId}/${id}`));
}

/** Begins it, plays the job to its end, and reads how it stands. */
export async function exportWhole(world: World, asker: Asker, order: Order): Promise<ExportShown> {
  const job = await beginExport(asker, order);
  await runExport(world.context, job.id);
  return readExport(asker, job);
}

/** The finished file. */
export async function downloadExport(world: World, { download }: ExportShown): Promise<Buffer> {
  if (download === null) throw new Error('The export has no file');
  const response = await fetchPublic(world, download.url);
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** What is in a zip, as text by path. */
export async function entriesOf(zip: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await openArchive(inMemory(zip))) files.set(entry.path, String(await entry.unpack()));
  return files;
}

/** The rows of its data. */
export function rowsOf(entries: ReadonlyMap<string, string>): ArchiveRow[] {
  return [...entries].flatMap(([path, text]) =>
    path.endsWith('.jsonl')
      ? text
          .trimEnd()
          .split('\n')
          .map((line): ArchiveRow => JSON.parse(line))
      : [],
  );
}

/** Exports and reads what the asker gets. */
export async function exportedRows(world: World, asker: Asker, order: Order): Promise<ArchiveRow[]> {
  return rowsOf(await entriesOf(await downloadExport(world, await exportWhole(world, asker, order))));
}
