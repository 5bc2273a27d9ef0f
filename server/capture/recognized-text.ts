// The text of a file that has none of its own, recognised in pictures of it. Any failure leaves the file as readable as without
// an engine. Together with the extraction before it, this stays within the lease of a capture.
import { CAPTURE } from '#shared/capture/limits.ts';
import { runInProcess } from '../jobs/run-in-process.ts';
import { TIMEOUTS } from '../limits.ts';
import type { RecognizedText, TextRecognition } from '../providers/text-recognition.ts';
import { FILE_READER } from './file-reader.ts';
import type { FileSource } from './file-source.ts';

const WORKER = new URL('./scan-worker.ts', import.meta.url);

const DRAWABLE: ReadonlySet<FileSource['kind']> = new Set([
  'pdf',
  'png',
  'jpeg',
  'gif',
  'webp',
  'avif',
] as const);

type Drawable = Pick<FileSource, 'kind' | 'bytes'>;

/** The pictures that the engine sees; none where the file cannot be drawn. */
export async function scansOf(file: Drawable): Promise<Uint8Array[]> {
  if (!DRAWABLE.has(file.kind)) return [];
  const input = { ...file, enoughMs: TIMEOUTS.scanPages };
  return (await runInProcess<Uint8Array[]>(WORKER, input, FILE_READER)) ?? [];
}

/** The text with the number of pictures, or pages, that it is from; undefined where none is recognised. */
export async function recognizeText(
  engine: TextRecognition,
  file: Drawable,
): Promise<RecognizedText | undefined> {
  const scans = await scansOf(file);
  const found = scans.length === 0 ? undefined : await engine.read(scans);
  return found && { ...found, text: found.text.slice(0, CAPTURE.pageTextMax).toWellFormed() };
}
