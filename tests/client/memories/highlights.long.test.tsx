/** Highlights of a page: made from a selection in its text or in the saved page, marked, listed, noted and removed. */
import { userEvent } from 'vitest/browser';
import { afterEach, expect, it, vi } from 'vitest';
import { addressOf } from '#shared/hash.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { undoLast } from '#client/shell/undo.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow } from '#tests/support/replica-rows.ts';

const URL_OF_PAGE = 'https://example.com/barnacles';
const TEXT =
  '# Barnacles\n\nThey glue themselves to *rock*.\n\nThe tide rises. The tide falls. The tide turns.';
const HTML =
  '<!doctype html><html><head><title>x</title></head><body><p>They glue themselves to <i>rock</i>.</p><p>The tide rises. The tide falls. The tide turns.</p></body></html>';
const HASH = 'a'.repeat(64);

afterEach(() => vi.restoreAllMocks());

/** Page and saved page as the server has them. */
function serve(): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { pathname } = new URL(new Request(input).url);
    if (pathname.endsWith('/page')) return new Response(TEXT);
    if (pathname.endsWith('/snapshot')) return new Response(HTML, { headers: { etag: `"${HASH}"` } });
    throw new TypeError('Failed to fetch');
  });
}

async function open(notes: string | null = null, position: 'owner' | 'read-only' = 'owner') {
  serve();
  const row = memoryRow({
    title: 'Barnacles',
    type: 'link',
    url: URL_OF_PAGE,
    contentStatus: 'completed',
    ...bodyFields(notes),
    metadata: {
      pageHash: addressOf(TEXT).hash,
      snapshot: { hash: HASH, taken: '2026-07-01T12:00:00.000Z', bytes: HTML.length },
    },
  });
  const stage = await stageDashboard((fill) => fill.put('memory', row), {
    path: `?memory=${row.id}`,
    position,
  });
  const viewer = stage.screen.getByRole('dialog', { name: 'Barnacles' });
  const notesNow = () => stage.replica.mirrors.workspace.lists.memory.byId.get(row.id)?.notes ?? null;
  return { ...stage, viewer, notesNow, page: viewer.getByRole('region', { name: 'Page' }) };
}

/** Selects the words in the only text node that has them. */
function select(root: Node | null | undefined, words: string, nth = 0): void {
  if (!root?.ownerDocument) throw new Error('nothing to select in');
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    let at = -1;
    for (let n = 0; n <= nth; n += 1) at = node.textContent?.indexOf(words, at + 1) ?? -1;
    if (at < 0) continue;
    const selection = root.ownerDocument.defaultView?.getSelection();
    selection?.setBaseAndExtent(node, at, node, at + words.length);
    return;
  }
  throw new Error(`${words} is not there`);
}

/** What is marked in a window. */
function marked(view: Pick<typeof globalThis, 'CSS'> | null | undefined): string[] {
  return [...(view?.CSS.highlights.get('page-quote') ?? [])].map(String);
}

it('makes a quote of what is selected in the text, marks it at its place, and takes it back', async () => {
  const { viewer, page, notesNow } = await open('Mine.');
  // Plain until it is formatted.
  await expect.element(page.getByRole('heading', { name: 'Barnacles' })).toBeVisible();
  select(page.element(), 'The tide', 1);
  await expect.element(page.getByRole('button', { name: /^Highlight/ })).toBeVisible();
  expect(await accessibilityFaults()).toEqual([]);
  await page.getByRole('button', { name: /^Highlight/ }).click();
  await expect
    .poll(notesNow)
    .toBe(
      'Mine.\n\n> The tide\n\n— [example.com](https://example.com/barnacles#:~:text=to%20rock.%20The%20tide%20rises.-,The%20tide,-falls.%20The%20tide%20turns.)',
    );
  await expect.poll(() => marked(globalThis)).toEqual(['The tide']);
  const [range] = CSS.highlights.get('page-quote') ?? [];
  expect([range?.startOffset, (range as Range).startContainer.textContent?.slice(0, 8)]).toEqual([
    16,
    'The tide',
  ]);
  await expect.element(page.getByRole('list', { name: 'Highlights' }).getByText('The tide')).toBeVisible();
  // As the button of the toast does, which goes away by itself.
  expect(undoLast()).toBe(true);
  await expect.poll(notesNow).toBe('Mine.');
  await expect.poll(() => marked(globalThis)).toEqual([]);
  expect(viewer.element().querySelector('mark')).toBeNull();
});

it('takes a selection of the saved page by its key, with words of one’s own', async () => {
  const { page, viewer, notesNow } = await open();
  await page.getByRole('radio', { name: 'Saved page' }).click();
  const frame = () => viewer.element().querySelector('iframe');
  const view = () => frame()?.contentWindow as typeof globalThis | undefined;
  await expect.poll(() => frame()?.contentDocument?.querySelector('p')?.textContent).toMatch(/glue/);
  frame()?.contentWindow?.focus();
  select(frame()?.contentDocument?.body, 'They glue themselves');
  await expect.element(page.getByRole('button', { name: /^Highlight/ })).toBeVisible();
  view()?.document.body.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'h', code: 'KeyH', bubbles: true }),
  );
  await expect.poll(notesNow).toMatch(/^> They glue themselves\n\n— \[/);
  await expect.poll(() => marked(view())).toEqual(['They glue themselves']);
  await page.getByRole('button', { name: 'Add note to highlight' }).click();
  await userEvent.type(page.getByRole('textbox', { name: 'Note on this highlight' }), '> Head first');
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect.poll(notesNow).toMatch(/^> They glue themselves\n\n\\> Head first\n\n— \[/);
  expect(await accessibilityFaults()).toEqual([]);
  // The same quote stands in the text too.
  await page.getByRole('radio', { name: 'Text' }).click();
  await expect.poll(() => marked(globalThis)).toEqual(['They glue themselves']);
  await page.getByRole('button', { name: 'Remove highlight' }).click();
  await expect.poll(notesNow).toBeNull();
});

it('marks quotes that overlap, and lists one that is no longer in the page', async () => {
  const notes =
    '> glue themselves to rock\n\n> themselves to rock. The tide\n\n> A sentence that is gone.\n\n— Page 3';
  const { page } = await open(notes, 'read-only');
  await expect.poll(() => marked(globalThis)).toHaveLength(2);
  const list = page.getByRole('list', { name: 'Highlights' });
  await expect.element(list.getByText('A sentence that is gone.')).toBeVisible();
  await expect.element(list.getByText('Page 3 · Not found in the text')).toBeVisible();
  expect(list.getByRole('button', { name: 'Show in text' }).elements()).toHaveLength(2);
  await list.getByRole('button', { name: 'Show in text' }).last().click();
  await expect.poll(() => document.activeElement?.textContent).toMatch(/^They glue/);
  expect(await accessibilityFaults()).toEqual([]);
  // Who may only read has nothing to press.
  expect(list.getByRole('button', { name: 'Remove highlight' }).elements()).toEqual([]);
  select(page.element(), 'The tide');
  await userEvent.keyboard('h');
  await expect.element(page.getByText(/The tide rises/)).toBeVisible();
  expect(page.getByRole('button', { name: /^Highlight/ }).elements()).toEqual([]);
});
