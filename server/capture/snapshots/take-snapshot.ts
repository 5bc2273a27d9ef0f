// A page as one file that can be read when the page no longer exists: created in a process with limits, stored as an upload of
// the workspace, so that equal ones are stored once, count as storage, and are removed when no memory uses them.
import type { Id } from '#shared/ids.ts';
import type { Context } from '../../context.ts';
import type { ProcessLimits } from '../../jobs/run-in-process.ts';
import { TIMEOUTS } from '../../limits.ts';
import type { Egress } from '../../providers/egress.ts';
import { isDocument } from '../page-media.ts';
import { runPageTask } from '../page-process.ts';
import type { PageSource } from '../page-text.ts';
import { storePreview, type PreviewFacts } from '../preview-store.ts';
import { hashOf, storeUpload, type Upload } from '../upload-store.ts';
import { drawPagePicture } from './page-picture.ts';
import type { ResourceAddress } from './page-resource.ts';
import { createResourceLoader } from './resource-loader.ts';
import { RESOURCES, SNAPSHOT, type ResourceLimits } from './snapshot-limits.ts';

export type SnapshotHost = Pick<Context, 'db' | 'clock' | 'files' | 'log'> & { egress: Pick<Egress, 'get'> };

export interface StoredSnapshot {
  uploadId: Id<'upload'>;
  /** SHA-256 in hexadecimal. */
  hash: string;
  bytes: number;
}

export interface TakenSnapshot extends StoredSnapshot {
  /** Of the picture that the page names for itself; empty without one. */
  picture: PreviewFacts;
}

/** The page as HTML that refers to nothing outside of itself; undefined when it is empty, or exceeded the limits. */
export async function snapshotOf(
  egress: Pick<Egress, 'get'>,
  source: PageSource,
  {
    reader = { limitMs: TIMEOUTS.snapshot },
    resources = { ...RESOURCES, eachMs: TIMEOUTS.pagePart, allMs: TIMEOUTS.pageParts },
  }: { reader?: Partial<ProcessLimits>; resources?: ResourceLimits } = {},
): Promise<Buffer | undefined> {
  const ended = new AbortController();
  const load = createResourceLoader(egress, resources, ended.signal);
  try {
    const made = await runPageTask('snapshot', source, reader, (address) => load(address as ResourceAddress));
    const html = made?.html === undefined ? undefined : Buffer.from(made.html);
    return html === undefined || html.length > SNAPSHOT.bytes ? undefined : html;
  } finally {
    ended.abort();
  }
}

/**
 * Makes and stores the snapshot of a page, with the picture that the page names for itself as its preview. Undefined where
 * there is none to make and where it failed: the text of a page is worth having without it.
 */
export async function takeSnapshot(
  host: SnapshotHost,
  source: PageSource,
  owner: { workspaceId: Id<'workspace'>; userId: Id<'user'> },
  image: string | null,
): Promise<TakenSnapshot | undefined> {
  if (!isDocument(source.mediaType)) return undefined;
  try {
    const bytes = await snapshotOf(host.egress, source);
    if (bytes === undefined) return undefined;
    const uploadId = await storeUpload(host, { ...owner, kind: 'html', bytes });
    const picture = image === null ? {} : await takePicture(host, image, { ...owner, id: uploadId });
    return { uploadId, hash: hashOf(bytes), bytes: bytes.length, picture };
  } catch (error) {
    host.log.error({ err: error }, 'the snapshot of a page could not be stored');
    return undefined;
  }
}

/** Empty where there is none and where it failed: the page is worth having without it. */
async function takePicture(
  host: SnapshotHost,
  address: string,
  upload: Pick<Upload, 'workspaceId' | 'id'>,
): Promise<PreviewFacts> {
  try {
    const drawn = await drawPagePicture(host.egress, address);
    return drawn === null ? {} : await storePreview(host, upload, drawn);
  } catch (error) {
    host.log.error({ err: error }, 'the picture of a page could not be stored');
    return {};
  }
}
