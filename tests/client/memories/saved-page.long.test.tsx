/** The saved page of a link in the viewer: shown in a frame that runs nothing, and honest where there is none. */
import { afterEach, expect, it, vi } from 'vitest';
import { READABLE_PAGE, sandboxFor } from '#client/memories/frame-access.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow } from '#tests/support/replica-rows.ts';

const HTML =
  '<!doctype html><title>Tides</title><h1>Tides</h1><script>parent.document.title = "run"</script>';
const HASH = 'a'.repeat(64);
const snapshot = { hash: HASH, taken: '2026-07-01T12:00:00.000Z', bytes: HTML.length };

afterEach(() => vi.restoreAllMocks());

/** Answers for the saved page; undefined for no network. */
function serve(answer: () => { html: string; etag: string } | undefined) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const given = answer();
    if (given === undefined) throw new TypeError('Failed to fetch');
    return new Response(given.html, { headers: { etag: given.etag, 'content-type': 'text/html' } });
  });
}

async function openLink(metadata: Record<string, unknown>, fields: Partial<MemoryHead> = {}) {
  const link = {
    title: 'Tides',
    type: 'link',
    url: 'https://example.com/tides',
    contentStatus: 'completed',
  } as const;
  const row = memoryRow({ ...link, metadata, ...fields });
  const { screen } = await stageDashboard((fill) => fill.put('memory', row), { path: `?memory=${row.id}` });
  return screen.getByRole('dialog', { name: 'Tides' });
}

it('stands in a frame that runs nothing, whatever the page holds', async () => {
  // Each of these would change the title of our page.
  const run = "(top || opener).document.title = 'run'";
  const html =
    `<!doctype html><title>Tides</title><body onload="${run}"><h1>Tides</h1><script>${run}</script>` +
    `<img src="x" onerror="${run}"><a href="javascript:${run}">Go</a><a href="javascript:localStorage.setItem('run', 'yes')" target="_blank">New</a><svg onload="${run}"><a xlink:href="javascript:${run}" target="_blank"><text>x</text></a></svg>` +
    `<iframe srcdoc="<script>${run}</script>"></iframe><form action="javascript:${run}"><button>Send</button></form>`;
  serve(() => ({ html, etag: `"${HASH}"` }));
  const viewer = await openLink({ snapshot: { ...snapshot, bytes: html.length } });
  await expect.element(viewer.getByText(/^Saved .* Scripts/)).toBeVisible();
  const frame = () => viewer.element().querySelector('iframe');
  await expect.poll(() => frame()?.contentDocument?.querySelector('h1')?.textContent).toBe('Tides');
  expect(frame()?.sandbox.value).toBe('allow-same-origin allow-popups allow-popups-to-escape-sandbox');
  expect(frame()?.title).toBe('Saved page: Tides');
  const pressed = () => [
    ...(frame()?.contentDocument?.querySelectorAll<HTMLElement>('a:not(svg a), button') ?? []),
  ];
  // The heading is there before the rest of the page.
  await expect.poll(pressed).toHaveLength(3);
  // Links that lead nowhere on the web lose their addresses.
  const addressed = () => frame()?.contentDocument?.querySelectorAll('[*|href]');
  await expect.poll(addressed).toHaveLength(0);
  for (const element of pressed()) element.click();
  await expect.poll(() => frame()?.contentDocument?.readyState).toBe('complete');
  expect(document.title).not.toBe('run');
  expect(localStorage.getItem('run')).toBeNull();
});

it('is apart from the application when it is large', async () => {
  const html = `<!doctype html><h1>Tides</h1>${'<p>Low water</p>'.repeat(READABLE_PAGE.elements)}`;
  serve(() => ({ html, etag: `"${HASH}"` }));
  const viewer = await openLink({ snapshot: { ...snapshot, bytes: html.length } });
  await expect.element(viewer.getByText(/too large to highlight in/)).toBeVisible();
  const frame = () => viewer.element().querySelector('iframe');
  expect(frame()?.sandbox.value).toBe('allow-popups allow-popups-to-escape-sandbox');
  await expect.poll(() => frame()?.contentDocument).toBeNull();
  expect(await accessibilityFaults()).toEqual([]);
});

it.each([
  ['of pictures is small', `<img src="data:image/png;base64,${'A'.repeat(3_000_000)}">`, true],
  ['of much markup is large', `<p title="${'data:'.repeat(200_000)}">x</p>`, false],
  ['of a giant file is large', ' '.repeat(READABLE_PAGE.bytes + 1), false],
])('a page %s', async (_name, html, isReadable) => {
  expect((await sandboxFor(new Blob([html]))).includes('allow-same-origin')).toBe(isReadable);
});

it('is opened again without a network, and loaded once it is back', async () => {
  const answers: ReturnType<Parameters<typeof serve>[0]>[] = [undefined, { html: HTML, etag: `"${HASH}"` }];
  serve(() => answers.shift());
  const viewer = await openLink({ snapshot });
  await expect.element(viewer.getByText(/^This saved page is not on this device yet/)).toBeVisible();
  expect(await accessibilityFaults()).toEqual([]);
  globalThis.dispatchEvent(new Event('online'));
  await expect.poll(() => viewer.element().querySelector('iframe')?.src).toMatch(/^blob:/);
});

it('is not shown when another page came in its place', async () => {
  serve(() => ({ html: HTML, etag: '"another"' }));
  const viewer = await openLink({ snapshot });
  await expect.element(viewer.getByText(/^Could not load this saved page/)).toBeVisible();
  expect(viewer.element().querySelector('iframe')).toBeNull();
});

it('says when there is none, and offers to save it', async () => {
  serve(() => undefined);
  const viewer = await openLink({ pageHash: 'b'.repeat(64) });
  await viewer.getByRole('radio', { name: 'Saved page' }).click();
  await expect.element(viewer.getByText('This link has no saved page, only its text.')).toBeVisible();
  expect(await accessibilityFaults()).toEqual([]);
  await viewer.getByRole('button', { name: 'Save page' }).click();
  await expect.element(viewer.getByText('This page is being saved.')).toBeVisible();
});
