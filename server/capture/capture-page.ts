// Stores the text of a link or a file: fetches the page, or reads the uploaded bytes. A capture is claimed before anything
// is fetched and ends in one transaction, so a job that is delivered twice or whose server is killed neither works twice
// nor leaves a link waiting. Extracted fields never replace those that a person wrote, and old text stays until new text
// is there.
import { sql } from 'kysely';
import { documentKindOf } from '#shared/capture/file-kinds.ts';
import { titleAfterReading } from '#shared/capture/file-title.ts';
import { CAPTURE, FILES } from '#shared/capture/limits.ts';
import { addressOf } from '#shared/hash.ts';
import type { Id } from '#shared/ids.ts';
import type { Memory } from '#shared/memories/memory.ts';
import { notesExcerpt } from '#shared/memories/memory-text.ts';
import { forgetEmbeddingsOfPages } from '../db/memory-followers.ts';
import { systemActor, type ServerTx } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { TIMEOUTS } from '../limits.ts';
import { EgressError, type EgressFault } from '../providers/egress.ts';
import type { RecognizedText, TextRecognition } from '../providers/text-recognition.ts';
import { readFileInProcess } from './file-reader.ts';
import type { FileSource, FileText } from './file-source.ts';
import { enqueuePage, type PageAddress } from './page-queue.ts';
import { runPageTask } from './page-process.ts';
import { isReadable } from './page-media.ts';
import type { PageSource, PageText } from './page-text.ts';
import { makePreview, markPreviewed, type PreviewFacts } from './preview-store.ts';
import {
  dropOtherSnapshot,
  storeSnapshot,
  withoutSnapshot,
  type StoredText,
} from './snapshots/store-snapshot.ts';
import { takeSnapshot, type SnapshotHost } from './snapshots/take-snapshot.ts';
import { recognizeText } from './recognized-text.ts';
import { fileKey, findUpload } from './upload-store.ts';

export interface CaptureHost extends WriteContext, SnapshotHost {
  jobs: Pick<JobQueue, 'enqueue'>;
  clock: WriteContext['clock'];
  log: SnapshotHost['log'];
  /** Undefined where no engine is present. */
  textRecognition?: TextRecognition | undefined;
}

/** Result of an attempt; a file yields a part of the fields of a page. */
type ReadText = Partial<PageText> & Pick<PageText, 'title' | 'text'> & Partial<FileText> & PreviewFacts;

/** How one attempt ended. `reason` is shown to the person. */
type Outcome =
  | { kind: 'read'; text: ReadText; url: string | null; status: number | null; source?: PageSource }
  | { kind: 'later' | 'failed' | 'unavailable'; reason: string; status?: number; head?: ReadText };

const ACCEPT =
  'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.8,text/plain;q=0.7,application/pdf;q=0.6';

/**
 * @param jobId adopts the claim of an earlier attempt of the same job, whose server has died
 * @throws when another job works on the page, so that this one is retried
 */
export async function capturePage(host: CaptureHost, address: PageAddress, jobId?: string): Promise<void> {
  const claim = await claimPage(host, address, jobId ?? null);
  if (claim === undefined) return;
  const outcome =
    claim.uploadId === null ? await attempt(host, claim.url ?? '') : await readUpload(host, claim);
  const { workspaceId } = address;
  const stored = await writeInRealm(host, workspaceId, systemActor, (tx) => settle(host, tx, claim, outcome));
  // Last, so that a preview which no memory refers to is made again.
  if (claim.uploadId !== null) await markPreviewed(host, { ...claim, id: claim.uploadId });
  const text = stored.value;
  if (outcome.kind !== 'read' || outcome.source === undefined || text === undefined) return;
  // The text is there already and waits for no picture.
  const owner = { workspaceId, userId: claim.ownerId };
  const snapshot = await takeSnapshot(host, outcome.source, owner, outcome.text.image ?? null);
  if (snapshot !== undefined)
    await writeInRealm(host, workspaceId, systemActor, (tx) => storeSnapshot(tx, text, snapshot));
}

/** After the last delivery of a job, for example when the page ended the server each time. */
export async function abandonPage(host: CaptureHost, address: PageAddress): Promise<void> {
  await writeInRealm(host, address.workspaceId, systemActor, async (tx) => {
    const row = await tx.get('memory', address.memoryId);
    if (row === undefined || (row.contentStatus !== 'pending' && row.contentStatus !== 'processing')) return;
    const statusReason = `The ${row.type === 'file' ? 'file' : 'page'} could not be read.`;
    const metadata = { ...row.metadata, statusReason };
    await tx.update('memory', row.id, { contentStatus: 'failed', metadata });
    await emit(tx, 'memory.failed', { memory: row, reason: statusReason });
  });
}

interface Claim extends PageAddress {
  ownerId: Id<'user'>;
  url: string | null;
  /** Null for a link. */
  uploadId: Id<'upload'> | null;
  filename: string;
  tries: number;
}

/** Claims the page for this attempt; undefined when there is nothing left to fetch. */
async function claimPage(
  host: CaptureHost,
  { workspaceId, memoryId }: PageAddress,
  jobId: string | null,
): Promise<Claim | undefined> {
  const { value } = await writeInRealm(host, workspaceId, systemActor, async (tx) => {
    const row = await tx.get('memory', memoryId);
    if (row === undefined || row.deletedAt !== null) return undefined;
    if (row.type === 'note' || (row.type === 'link' ? row.url : row.uploadId) === null) return undefined;
    if (row.contentStatus !== 'pending' && row.contentStatus !== 'processing') return undefined;
    const now = tx.now.getTime();
    const { rows } = await sql<{ tries: number }>`
      insert into "memory_page" as p ("workspaceId", "memoryId", "queued", "tries", "leaseUntil", "leaseJob")
      values (${workspaceId}, ${memoryId}, ${tx.now.toISOString()}, 1, ${later(now, TIMEOUTS.captureLease)}, ${jobId})
      on conflict ("workspaceId", "memoryId") do update
        set "tries" = p."tries" + 1, "leaseUntil" = excluded."leaseUntil", "leaseJob" = excluded."leaseJob"
        where p."leaseUntil" is null or p."leaseUntil" <= ${tx.now.toISOString()}
          or p."leaseJob" = excluded."leaseJob"
      returning "tries"`.execute(tx.trx);
    const [claimed] = rows;
    if (claimed === undefined) throw new Error('Another job works on this page');
    if (row.contentStatus === 'pending') await tx.update('memory', memoryId, { contentStatus: 'processing' });
    const uploadId = row.type === 'file' ? row.uploadId : null;
    const filename = row.filename ?? '';
    const { ownerId, url } = row;
    return { workspaceId, memoryId, ownerId, url, uploadId, filename, tries: claimed.tries };
  });
  return value;
}

const later = (now: number, ms: number): string => new Date(now + ms).toISOString();

/** Fetches and reads; never throws for a fault of the site. */
async function attempt(host: CaptureHost, url: string): Promise<Outcome> {
  try {
    const fetched = await host.egress.get(url, {
      maxBytes: (mediaType) =>
        documentKindOf(mediaType) === undefined ? CAPTURE.pageBytesMax : FILES.maxBytes,
      accept: ACCEPT,
      accepts: (mediaType) => isReadable(mediaType) || documentKindOf(mediaType) !== undefined,
    });
    const { url: address, status, mediaType, body } = fetched;
    if (status < 200 || status >= 300) return ofStatus(status);
    const kind = documentKindOf(mediaType);
    if (kind !== undefined) {
      const outcome = await readFile(host, { kind, filename: new URL(address).pathname, bytes: body });
      return outcome.kind === 'read' ? { ...outcome, url: address, status } : { ...outcome, status };
    }
    const page = await runPageTask('page', fetched);
    if (page === undefined) return { kind: 'failed', reason: 'The page could not be read.' };
    if (page.obstacle === 'login')
      return { kind: 'unavailable', reason: 'The page asks for a log-in.', status };
    if (page.obstacle === 'scripts' || page.text === null)
      return { kind: 'unavailable', reason: page.obstacle === null ? EMPTY : SCRIPTED, status, head: page };
    return { kind: 'read', text: page, url: address, status, source: fetched };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return OF_FAULT[error.fault];
  }
}

const EMPTY = 'The page has no text.';
const SCRIPTED =
  'The page writes its text with scripts, which are not run. The browser extension saves it as you see it.';
const UNREACHABLE = 'The page could not be fetched.';

/** An address of a private network looks like one that does not exist, so that nothing about that network is revealed. */
const OF_FAULT: Readonly<Record<EgressFault, Outcome>> = {
  off: { kind: 'unavailable', reason: 'This server does not fetch pages.' },
  blocked: { kind: 'unavailable', reason: UNREACHABLE },
  unknown_host: { kind: 'unavailable', reason: UNREACHABLE },
  redirects: { kind: 'unavailable', reason: 'The page redirects without end.' },
  tls: { kind: 'unavailable', reason: 'The site has no valid certificate.' },
  type: { kind: 'unavailable', reason: 'This kind of file cannot be read.' },
  too_large: { kind: 'failed', reason: 'The page is too large.' },
  network: { kind: 'later', reason: UNREACHABLE },
  timeout: { kind: 'later', reason: 'The site did not respond in time.' },
};

const OF_STATUS: Readonly<Record<number, string>> = {
  401: 'The page asks for a log-in.',
  402: 'The page asks for a payment.',
  403: 'The site refused the request.',
  404: 'There is no page at this address.',
  410: 'The page was removed.',
  451: 'The page is not available for legal reasons.',
};
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

function ofStatus(status: number): Outcome {
  const isTemporary = status >= 500 || TEMPORARY.has(status);
  const reason = OF_STATUS[status] ?? `The site answered with an error (${status}).`;
  return { kind: isTemporary ? 'later' : 'unavailable', reason, status };
}

/** Whether the memory has another page or file than when the attempt began. */
function isOther(row: Pick<Memory, 'type' | 'url' | 'uploadId'>, { url, uploadId }: Claim): boolean {
  return row.type === 'file' ? row.uploadId !== uploadId : row.url !== url;
}

/** Reads the bytes of an upload; never throws because of their content. */
async function readUpload(host: CaptureHost, claim: Claim): Promise<Outcome> {
  const { db, files } = host;
  const { workspaceId, uploadId, filename } = claim;
  const upload = uploadId && (await findUpload(db, { workspaceId, id: uploadId }));
  const bytes = upload && (await files.get(fileKey(upload)));
  if (!bytes) return { kind: 'failed', reason: 'The file is missing.' };
  const source = { kind: upload.kind, filename, bytes };
  const outcome = await readFile(host, source);
  if (outcome.kind !== 'read') return outcome;
  const preview = await makePreview({ db, files }, upload, source);
  return { ...outcome, text: { ...outcome.text, ...preview } };
}

/** Reads a file that was uploaded, or fetched from the address of a link. */
async function readFile({ textRecognition }: CaptureHost, source: FileSource): Promise<Outcome> {
  const reading = await readFileInProcess(source);
  if (reading === undefined) return { kind: 'failed', reason: 'The file could not be read.' };
  if ('refused' in reading) return { kind: 'unavailable', reason: reading.refused };
  const { read } = reading;
  const recognized =
    read.text === null && textRecognition !== undefined
      ? await recognizeText(textRecognition, source)
      : undefined;
  const text = recognized === undefined ? read : { ...read, ...textOfPages(read.pages, recognized) };
  return { kind: 'read', text, url: null, status: null };
}

function textOfPages(pages: number | undefined, { text, pictures }: RecognizedText) {
  return { text, ...(pages !== undefined && pictures < pages && { pagesRead: pictures }) };
}

/**
 * Stores how the attempt ended. Nothing is stored for an address that was changed or deleted meanwhile.
 * @returns the text, if one was stored
 */
async function settle(
  host: CaptureHost,
  tx: ServerTx,
  claim: Claim,
  outcome: Outcome,
): Promise<StoredText | undefined> {
  const { workspaceId, memoryId, tries } = claim;
  await sql`
    update "memory_page" set "leaseUntil" = null, "leaseJob" = null
    where "workspaceId" = ${workspaceId} and "memoryId" = ${memoryId}`.execute(tx.trx);
  const row = await tx.get('memory', memoryId);
  if (row === undefined || isOther(row, claim) || row.contentStatus !== 'processing') return undefined;
  if (outcome.kind === 'read') return storeRead(tx, row, outcome);
  const delay = CAPTURE.retryDelaysSeconds[tries - 1];
  const again = outcome.kind === 'later' && delay !== undefined;
  const {
    statusReason: _reason,
    httpStatus: _status,
    tries: _tries,
    nextTryAt: _next,
    ...kept
  } = row.metadata;
  const found = outcome.head === undefined ? undefined : describedBy(row, outcome.head);
  await tx.update('memory', memoryId, {
    ...found?.fields,
    contentStatus: again ? 'pending' : outcome.kind === 'unavailable' ? 'unavailable' : 'failed',
    metadata: {
      ...kept,
      ...found?.facts,
      statusReason: outcome.reason,
      tries,
      ...(outcome.status !== undefined && { httpStatus: outcome.status }),
      ...(again && { nextTryAt: later(tx.now.getTime(), delay * 1_000) }),
    },
  });
  if (again) await enqueuePage(host.jobs, tx.trx, claim, { afterSeconds: delay });
  else if (outcome !== OF_FAULT.off) await emit(tx, 'memory.failed', { memory: row, reason: outcome.reason });
  return undefined;
}

/** First words of what was read, for lists where the memory has none. */
const LEAD_LENGTH = 240;

/** Fields of `metadata` that come from a page or a file. */
const FACTS = [
  ...(['site', 'author', 'published', 'language', 'canonicalUrl', 'image', 'favicon'] as const),
  ...(['pages', 'pagesRead', 'width', 'height', 'seconds', 'thumbnail', 'preview'] as const),
];

/** Title, description and facts from the page or file, used where the memory has none. */
function describedBy(row: Pick<Memory, 'title' | 'description' | 'filename'>, read: ReadText) {
  const title = titleAfterReading(row, read.title);
  const description = row.description ?? read.description ?? null;
  const lead =
    description === null
      ? notesExcerpt(read.text ?? '', title ?? row.filename ?? 'Untitled', LEAD_LENGTH)
      : '';
  return {
    fields: { title, description },
    facts: {
      ...Object.fromEntries(FACTS.flatMap((name) => (read[name] == null ? [] : [[name, read[name]]]))),
      ...(lead !== '' && { lead }),
    },
  };
}

type Read = Extract<Outcome, { kind: 'read' }>;

/** Stores the extracted content in the existing row of `memory_page`, and completes the memory. */
export async function storeRead(
  tx: ServerTx,
  row: Pick<Memory, 'id' | 'title' | 'description' | 'metadata' | 'filename'>,
  read: Pick<Read, 'text' | 'url' | 'status'>,
): Promise<StoredText> {
  const { text: page, url, status } = read;
  const { isKept } = await dropOtherSnapshot(tx, { memoryId: row.id, url });
  const { statusReason: _reason, tries: _tries, nextTryAt: _next, pageHash: _hash, ...others } = row.metadata;
  const kept = isKept ? others : withoutSnapshot(others);
  const fetched = tx.now.toISOString();
  const hash = page.text === null ? null : addressOf(page.text).hash;
  const { fields, facts } = describedBy(row, page);
  await sql`
    update "memory_page"
    set "url" = ${url}, "text" = ${page.text}, "hash" = ${hash},
      "fetched" = ${fetched}
    where "workspaceId" = ${tx.realmId} and "memoryId" = ${row.id}`.execute(tx.trx);
  await forgetEmbeddingsOfPages(tx, [row.id]);
  await tx.update('memory', row.id, {
    ...fields,
    contentStatus: 'completed',
    metadata: {
      ...kept,
      ...facts,
      ...(status !== null && { httpStatus: status }),
      ...(hash !== null && { pageHash: hash }),
    },
  });
  return { memoryId: row.id, fetched };
}
