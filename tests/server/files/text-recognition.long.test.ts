/** The text of pictures: by a program where there is one, within limits, and never at the cost of the picture. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capturePage } from '#server/capture/capture-page.ts';
import { scansOf } from '#server/capture/recognized-text.ts';
import { drawScans } from '#server/capture/scan.ts';
import { ConfigError, parseConfig } from '#server/config.ts';
import { createTextRecognition, type RecognitionLimits } from '#server/providers/text-recognition.ts';
import type { Id } from '#shared/ids.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { recognitionProgram } from '#tests/support/text-recognition-program.ts';
import { uploadFile } from '#tests/support/upload.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/files');
const fixture = (name: string) => readFileSync(path.join(FOLDER, name));
const program = recognitionProgram();
afterAll(() => program.remove());

const LIMITS: RecognitionLimits = { limitMs: 20_000, memoryMb: 1_024, outputMax: 1_000_000 };

/** The engine as the configuration makes it, and what it has warned of. */
function engine(env: Record<string, string>, limits: Partial<RecognitionLimits> = {}) {
  const warnings: unknown[] = [];
  const log = { warn: (facts: unknown) => void warnings.push(facts) };
  const made = createTextRecognition(parseConfig(env).ocr, log, { ...LIMITS, ...limits });
  return { made, warnings };
}

const picture = new Uint8Array(1_000);
const withProgram = (languages: string) => ({ OCR_COMMAND: program.command, OCR_LANGUAGES: languages });

describe('the engine', () => {
  it('is there only where its program is', () => {
    const PATH = path.dirname(program.command);
    expect(engine({ PATH: '/nowhere' }).made).toBeUndefined();
    expect(engine({ PATH }).made).toBeDefined();
    expect(engine({ PATH, OCR_COMMAND: 'none' }).made).toBeUndefined();
    expect(engine({ PATH: `/nowhere:${PATH}`, OCR_COMMAND: 'tesseract' }).made).toBeDefined();
    for (const OCR_COMMAND of ['other', '/nowhere/tesseract', FOLDER.concat('/README.md')])
      expect(() => engine({ PATH, OCR_COMMAND })).toThrow(ConfigError);
  });

  it('takes languages and nothing that looks like an option', () => {
    for (const OCR_LANGUAGES of ['-l', 'eng deu', 'eng+', '--psm', 'eng;ls', '../eng'])
      expect(() => parseConfig({ OCR_LANGUAGES })).toThrow(ConfigError);
  });

  it('gives the program pictures one by one, the languages, and next to no environment', async () => {
    const { made, warnings } = engine({ ...withProgram('eng+deu'), METRICS_TOKEN: 'a secret of the server' });
    const found = await made?.read([picture, picture.subarray(1)]);
    expect(found?.pictures).toBe(2);
    const text = found?.text;
    expect(text?.match(/read \d+ bytes/g)).toEqual(['read 1000 bytes', 'read 999 bytes']);
    expect(text).toContain('Berth seven\n\nlanguages eng+deu\n');
    expect(
      text
        ?.match(/variables (.*)/)?.[1]
        ?.split(' ')
        .filter((name) => !/^(_|PWD|SHLVL|OLDPWD)$/.test(name)),
    ).toEqual(['OMP_THREAD_LIMIT', 'PATH']);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['broken', 'it ended with 1'],
    ['crashing', 'it ended with SIGSEGV'],
    ['endless', 'it wrote too much'],
  ])('that is %s gives nothing and a warning', async (language, problem) => {
    const { made, warnings } = engine(withProgram(language));
    expect(await made?.read([picture])).toBeUndefined();
    expect(warnings).toEqual([{ problem }]);
  });

  it('that takes too much memory is ended', async () => {
    const { made, warnings } = engine(withProgram('greedy'), { memoryMb: 200 });
    expect(await made?.read([picture])).toBeUndefined();
    expect(warnings).toEqual([{ problem: expect.stringMatching(/^it ended with (?!0)/) }]);
  });

  it('that hangs is killed at the limit, with what it has started', async () => {
    const { made, warnings } = engine(withProgram('hanging'), { limitMs: 5_000 });
    const reading = made?.read([picture, picture]);
    await waitFor(() => expect(running('sleep 61237')).toBe(1));
    expect(await reading).toBeUndefined();
    expect(warnings).toEqual([{ problem: 'it took too long' }]);
    await waitFor(() => expect(running('sleep 61237') + running(program.command)).toBe(0));
  });

  it('that finds signs and no word gives nothing', async () => {
    const { made, warnings } = engine(withProgram('silent'));
    expect(await made?.read([picture])).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});

/** How many processes have a command line with these words. */
function running(words: string): number {
  const commands = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return commands.filter((command) => command.includes(words)).length;
}

describe('a picture', () => {
  it('is shown to the engine upright and grey, in a size that it can read', async () => {
    const small = await sharp({ create: { width: 300, height: 100, channels: 4, background: '#00f8' } })
      .png()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const scans = await scansOf({ kind: 'png', bytes: small });
    expect(scans).toHaveLength(1);
    expect(await sharp(scans[0]).metadata()).toMatchObject({
      format: 'png',
      width: 200,
      height: 600,
      channels: 1,
      hasAlpha: false,
    });
    expect(await scansOf({ kind: 'png', bytes: new Uint8Array(100) })).toEqual([]);
    expect(await scansOf({ kind: 'text', bytes: small })).toEqual([]);
  });
});

describe('a scanned PDF', () => {
  it('is drawn page by page, the first five, and no further once it took long enough', async () => {
    const bytes = scannedPdf(await blankPage(), 7);
    const scans = await drawScans({ kind: 'pdf', bytes }, 600_000);
    expect(scans).toHaveLength(5);
    expect(await sharp(scans[0]).metadata()).toMatchObject({ format: 'png', width: 2_400, height: 1_200 });
    expect(await drawScans({ kind: 'pdf', bytes }, 0)).toHaveLength(1);
  });

  it('that is damaged or has no pages to draw gives none', async () => {
    expect(await scansOf({ kind: 'pdf', bytes: Buffer.from('%PDF-1.4 nothing') })).toEqual([]);
  });
});

describe('a server', () => {
  let world: World;
  let cast: Cast;
  beforeAll(async () => {
    world = await createWorld({ env: { OCR_COMMAND: program.command } });
    cast = await createCast(world);
  });
  afterAll(() => world.close());

  async function saved(bytes: Uint8Array, name: string, context = world.context) {
    const { workspaceId, alice } = cast;
    const { json } = await uploadFile(world, alice, { workspaceId, bytes, name });
    const memoryId: Id<'memory'> = json.result.id;
    await capturePage(context, { workspaceId, memoryId });
    const { result } = await alice.api('memory.get', { params: { workspaceId, id: memoryId } });
    const page = await alice.raw('GET', `/v1/memories/${workspaceId}/${memoryId}/page`);
    return { ...result, text: page.status === 200 ? page.text : null };
  }

  it.each(['sun.png', 'sun.jpg', 'sun.gif', 'sun.webp', 'sun.avif'])('keeps the text of %s', async (name) => {
    const memory = await saved(fixture(name), name);
    expect(memory).toMatchObject({ contentStatus: 'completed', metadata: { width: expect.any(Number) } });
    expect(memory.text).toMatch(/^Berth seven\n\nlanguages eng\nread \d+ bytes/);
    expect(JSON.stringify(memory.metadata)).not.toContain('scans');
  });

  it('reads the pages of a PDF that has no text, and not those of one that has', async () => {
    const scanned = await saved(scannedPdf(await blankPage(), 1), 'scan.pdf');
    expect(scanned).toMatchObject({ contentStatus: 'completed', metadata: { pages: 1 } });
    expect(scanned.text).toMatch(/^Berth seven/);
    expect(scanned.metadata).not.toHaveProperty('pagesRead');
    const long = await saved(scannedPdf(await blankPage(), 7), 'long-scan.pdf');
    expect(long.metadata).toMatchObject({ pages: 7, pagesRead: 5 });
    const written = await saved(fixture('lighthouse-log.pdf'), 'lighthouse-log.pdf');
    expect(written.text).not.toContain('Berth seven');
    expect(written.text).toContain('eleven panes');
  });

  it.each(['broken', 'crashing'])('keeps the picture when the engine is %s', async (languages) => {
    const log = { warn: () => undefined };
    const { ocr } = parseConfig({ OCR_COMMAND: program.command, OCR_LANGUAGES: languages });
    const context = { ...world.context, textRecognition: createTextRecognition(ocr, log, LIMITS) };
    const bytes = await sharp(fixture('sun.png'))
      .resize(languages.length * 10)
      .png()
      .toBuffer();
    const memory = await saved(bytes, 'sun.png', context);
    expect(memory).toMatchObject({ contentStatus: 'completed', text: null });
  });

  it('without an engine keeps the picture without text', async () => {
    const bytes = await sharp(fixture('sun.png')).resize(55).png().toBuffer();
    const memory = await saved(bytes, 'plain.png', { ...world.context, textRecognition: undefined });
    expect(memory).toMatchObject({ contentStatus: 'completed', text: null });
  });
});

function blankPage(): Promise<Buffer> {
  const create = { width: 200, height: 100, channels: 3, background: 'white' } as const;
  return sharp({ create }).jpeg().toBuffer();
}

/** A PDF whose pages are pictures, as scanners write it. */
function scannedPdf(jpeg: Buffer, pages: number): Buffer {
  const objects: Buffer[] = [];
  const add = (head: string, stream?: Buffer) =>
    objects.push(
      stream === undefined
        ? Buffer.from(head)
        : Buffer.concat([Buffer.from(`${head}\nstream\n`), stream, Buffer.from('\nendstream')]),
    );
  const first = 5;
  const kids = Array.from({ length: pages }, (_, at) => `${first + at} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`);
  add(
    `<< /Type /XObject /Subtype /Image /Width 200 /Height 100 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>`,
    jpeg,
  );
  const draw = Buffer.from('q 200 0 0 100 0 0 cm /Im0 Do Q');
  add(`<< /Length ${draw.length} >>`, draw);
  for (let page = 0; page < pages; page += 1)
    add(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Resources << /XObject << /Im0 3 0 R >> >> /Contents 4 0 R >>',
    );
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(at);
    at += part.length;
    parts.push(part);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer << /Size ${count} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
