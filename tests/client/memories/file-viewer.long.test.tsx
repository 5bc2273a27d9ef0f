/** The viewer of files: what it shows of each kind, while it loads, without a network, and of hostile files. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow } from '#tests/support/replica-rows.ts';

afterEach(() => vi.restoreAllMocks());

/** The API and the store of files; `undefined` for no network. */
function serve(answer: () => Blob | number | undefined) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { pathname } = new URL(new Request(input).url);
    const given = answer();
    if (given === undefined) throw new TypeError('Failed to fetch');
    if (typeof given === 'number')
      return Response.json(
        { success: false, error: { message: 'm', detail: 'd', code: 'internal' } },
        { status: given },
      );
    if (pathname.startsWith('/v1/files/')) return new Response(given);
    const [url, expiresAt] = ['http://elsewhere.example/v1/files/signed', '2026-11-23T12:00:00.000Z'];
    return Response.json({
      success: true,
      result: { url, expiresAt, filename: 'f', mediaType: given.type, bytes: given.size },
    });
  });
}

async function openFile(filename: string, fields: Partial<MemoryHead> = {}) {
  const row = memoryRow({
    title: 'A file',
    type: 'file',
    uploadId: newId('upload'),
    filename,
    metadata: { bytes: 13e5 },
    ...fields,
  });
  const { screen } = await stageDashboard((fill) => fill.put('memory', row), { path: `?memory=${row.id}` });
  return screen.getByRole('dialog', { name: 'A file' });
}

async function picture(): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 4, height: 4 });
  return new Promise((resolve) => canvas.toBlob((blob) => blob && resolve(blob)));
}

describe('the viewer of files', () => {
  it('shows a picture, with name, kind and size', async () => {
    const png = await picture();
    serve(() => png);
    const viewer = await openFile('sun.png');
    const shown = viewer.getByRole('img', { name: 'sun.png' });
    await expect.element(shown).toBeVisible();
    await expect.poll(() => Reflect.get(shown.element(), 'naturalWidth')).toBe(4);
    await expect.element(viewer.getByText('PNG image · 1.3 MB')).toBeVisible();
    await viewer.getByRole('radio', { name: 'Actual size' }).click();
    await expect.element(viewer.getByRole('region', { name: 'sun.png in its actual size' })).toBeVisible();
    await expect.poll(() => Reflect.get(shown.element(), 'naturalWidth')).toBe(4);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says so when a picture is none, and runs nothing of it', async () => {
    serve(() => new Blob(['<html><script>parent.document.title = "run"</script>'], { type: 'image/png' }));
    const viewer = await openFile('page.png');
    await expect.element(viewer.getByText(/^This picture cannot be shown/)).toBeVisible();
    expect(document.title).not.toBe('run');
    expect(document.querySelector('iframe, object, embed')).toBeNull();
  });

  it('plays sound with the controls of the browser', async () => {
    serve(() => new Blob(['OggS'], { type: 'audio/ogg' }));
    const viewer = await openFile('song.ogg');
    const sound = () => viewer.element().querySelector('audio');
    await expect.poll(() => sound()?.src).toMatch(/^blob:/);
    expect(sound()?.controls).toBe(true);
  });

  it('offers other kinds as a download only, and fetches nothing before', async () => {
    const calls = serve(() => new Blob(['x']));
    const viewer = await openFile('report.docx', { contentStatus: 'completed' });
    await expect.element(viewer.getByText('Word document · 1.3 MB')).toBeVisible();
    const asked = calls.mock.calls.map(([input]) => new URL(new Request(input).url).pathname);
    expect(asked.filter((address) => address.includes('/file'))).toEqual([]);
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('loads by itself when the network is back', async () => {
    const png = await picture();
    let isUp = false;
    serve(() => (isUp ? png : undefined));
    const viewer = await openFile('sun.png');
    await expect.element(viewer.getByText(/^This file is not on this device yet/)).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    isUp = true;
    globalThis.dispatchEvent(new Event('online'));
    await expect.element(viewer.getByRole('img', { name: 'sun.png' })).toBeVisible();
  });

  it('tries again when asked after the server failed', async () => {
    const png = await picture();
    let answer: Blob | number = 500;
    serve(() => answer);
    const viewer = await openFile('sun.png');
    await expect.element(viewer.getByText('Could not load this file. Try again in a moment.')).toBeVisible();
    answer = png;
    await viewer.getByRole('button', { name: 'Try again' }).click();
    await expect.element(viewer.getByRole('img', { name: 'sun.png' })).toBeVisible();
  });

  it('shows why the text of a file is missing, and tries again', async () => {
    serve(() => new Blob(['x']));
    const viewer = await openFile('report.docx', {
      contentStatus: 'failed',
      metadata: { statusReason: 'The file could not be read.' },
    });
    await expect.element(viewer.getByText('The file could not be read.')).toBeVisible();
    await expect.element(viewer.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});

describe('the preview of a file', () => {
  const NAME = 'a'.repeat(32);

  /** A server whose file comes when it is let go, and where the preview is another picture. */
  function serveSlowly(file: Blob, preview: Blob | undefined) {
    let letGo = () => undefined as void;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const asked: string[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      const { pathname } = new URL(new Request(input).url);
      asked.push(pathname);
      if (pathname.endsWith('/preview')) {
        if (!preview) return new Response(null, { status: 404 });
        return new Response(preview, { headers: { 'content-type': 'image/webp' } });
      }
      if (pathname.startsWith('/v1/files/')) {
        await held;
        return new Response(file);
      }
      const [url, expiresAt] = ['http://elsewhere.example/v1/files/signed', '2026-11-23T12:00:00.000Z'];
      const result = { url, expiresAt, filename: 'f', mediaType: file.type, bytes: file.size };
      return Response.json({ success: true, result });
    });
    return { asked, letGo: () => letGo() };
  }

  async function drawn(side: number): Promise<Blob> {
    const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
    return new Promise((resolve) => canvas.toBlob((blob) => blob && resolve(blob)));
  }

  const facts = { bytes: 1_300_000, preview: NAME, width: 40, height: 40 };

  it('is in its place until it is here, and nothing moves then', async () => {
    const server = serveSlowly(await drawn(40), await drawn(8));
    const viewer = await openFile('sun.png', { metadata: facts });
    const shown = viewer.getByRole('img', { name: 'sun.png' });
    await expect.poll(() => Reflect.get(shown.element(), 'naturalWidth')).toBe(8);
    const before = shown.element().getBoundingClientRect();
    server.letGo();
    await expect.poll(() => Reflect.get(shown.element(), 'naturalWidth')).toBe(40);
    const { width, height } = shown.element().getBoundingClientRect();
    expect([width, height]).toEqual([before.width, before.height]);
  });

  it('of a PDF is its first page while it loads', async () => {
    serveSlowly(new Blob(['%PDF-1.4']), await drawn(8));
    const viewer = await openFile('paper.pdf', { metadata: { ...facts, pages: 3 } });
    await expect.element(viewer.getByRole('img', { name: 'First page of paper.pdf' })).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('is missed without a word, and not asked for under a name that is none', async () => {
    const server = serveSlowly(await drawn(40), undefined);
    const viewer = await openFile('sun.png', { metadata: facts });
    await expect.poll(() => server.asked.filter((each) => each.endsWith('/preview')).length).toBe(1);
    server.letGo();
    await expect.element(viewer.getByRole('img', { name: 'sun.png' })).toBeVisible();
    vi.restoreAllMocks();
    const other = serveSlowly(await drawn(40), await drawn(8));
    await openFile('moon.png', { metadata: { ...facts, preview: '../../etc/passwd' } });
    other.letGo();
    await expect.poll(() => other.asked.some((each) => each.startsWith('/v1/files/'))).toBe(true);
    expect(other.asked.filter((each) => each.endsWith('/preview'))).toEqual([]);
  });
});

describe('files in notes', () => {
  async function openNote(notes: string, rows: readonly MemoryHead[]) {
    const note = memoryRow({ title: 'A note', ...bodyFields(notes) });
    const { screen } = await stageDashboard(
      (fill) => {
        for (const row of [note, ...rows]) fill.put('memory', row);
      },
      { path: `?memory=${note.id}` },
    );
    return screen.getByRole('dialog', { name: 'A note' });
  }
  const fileRow = (filename: string) =>
    memoryRow({ title: filename, type: 'file', uploadId: newId('upload'), filename });

  it('shows pictures in their place and leads to the other files', async () => {
    const png = await picture();
    serve(() => png);
    const [sun, paper] = [fileRow('sun.png'), fileRow('paper.pdf')];
    const gone = newId('memory');
    const viewer = await openNote(
      `![The sun](memory:${sun.id})\n\n![Paper](memory:${paper.id}) [words](memory:${paper.id})\n\n![Moon](memory:${gone})`,
      [sun, paper],
    );
    const shown = viewer.getByRole('img', { name: 'The sun' });
    await expect.poll(() => Reflect.get(shown.element(), 'naturalWidth')).toBe(4);
    await expect.element(viewer.getByRole('link', { name: 'Paper' })).toBeVisible();
    await expect.element(viewer.getByRole('link', { name: 'words' })).toBeVisible();
    await expect.element(viewer.getByText('Moon (not available)')).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('says so when a picture is not on this device or is none', async () => {
    serve(() => undefined);
    const sun = fileRow('sun.png');
    const viewer = await openNote(`![The sun](memory:${sun.id})`, [sun]);
    await expect.element(viewer.getByText('(not on this device yet)')).toBeVisible();
    await expect.element(viewer.getByRole('link', { name: 'The sun' })).toBeVisible();
    serve(() => new Blob(['<svg onload="globalThis.ran = true">'], { type: 'image/png' }));
    globalThis.dispatchEvent(new Event('online'));
    await expect.element(viewer.getByText('(cannot be shown)')).toBeVisible();
    expect(Reflect.has(globalThis, 'ran')).toBe(false);
  });
});
