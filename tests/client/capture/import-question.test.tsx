/** The question of an import that would make many spaces, in the dialog and outside it, with a server that answers as told. */
import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { newId } from '#shared/ids.ts';
import { beginImport, clearImport } from '#client/capture/import-run.ts';
import { closeImport, openImport } from '#client/shell/import-state.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { USER, WORKSPACE } from '#tests/support/replica-rows.ts';

afterEach(async () => {
  closeImport();
  clearImport(WORKSPACE);
  vi.restoreAllMocks();
  await page.viewport(1280, 800);
});

const ID = newId('upload');
const WAITING = 'Import needs your answer';

const job = (fields: Partial<ImportJob> = {}): ImportJob => ({
  id: ID,
  workspaceId: WORKSPACE,
  createdBy: USER,
  filename: 'notes.zip',
  folders: 'spaces',
  status: 'asking',
  newSpaces: 43,
  newSpaceNames: ['recipes', 'travel', 'work'],
  total: 100,
  processed: 0,
  imported: 0,
  updatedCount: 0,
  unchanged: 0,
  problems: [],
  error: null,
  undo: 'impossible',
  removedCount: 0,
  restoredCount: 0,
  keptCount: 0,
  kept: [],
  created: new Date().toISOString(),
  updated: new Date().toISOString(),
  ...fields,
});

/** A server with this import; the result lists the answers that it was given. */
function serve(current: () => ImportJob, refusal?: { status: number; detail: string }) {
  const answers: unknown[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const path = new URL(input instanceof Request ? input.url : String(input), location.href).pathname;
    if (path === `/v1/imports/${WORKSPACE}/${ID}/folders`) {
      answers.push(typeof init?.body === 'string' ? JSON.parse(init.body) : undefined);
      const error = { code: 'conflict', message: 'Conflict', detail: refusal?.detail };
      if (refusal) return Promise.resolve(Response.json({ success: false, error }, refusal));
      return Promise.resolve(Response.json({ success: true, result: job({ status: 'pending' }) }));
    }
    const isImport = path === `/v1/imports/${WORKSPACE}/${ID}`;
    return Promise.resolve(Response.json({ success: true, result: isImport ? current() : [], meta: {} }));
  });
  return answers;
}

/** The dashboard after a reload, with the dialog closed. */
async function stage() {
  localStorage.setItem(`loci-import-${WORKSPACE}`, ID);
  return (await stageDashboard(() => undefined)).screen;
}

async function open() {
  const screen = await stage();
  await screen.getByRole('button', { name: `Import: ${WAITING}` }).click();
  return { screen, dialog: screen.getByRole('dialog', { name: 'Import notes and bookmarks' }) };
}

it('is shown after a reload: in the sidebar, in a toast, and whole in the dialog', async () => {
  serve(() => job());
  const screen = await stage();
  await screen.getByRole('button', { name: 'Answer' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Import notes and bookmarks' });
  const question = dialog.getByRole('status');
  await expect.element(question).toMatchTextContent(/^This would make 43 new spaces/);
  await expect.element(question).toMatchTextContent(/“recipes”, “travel” and 41 more\. Spaces are places/);
  await expect.element(dialog.getByRole('button', { name: 'Use tags' })).toHaveFocus();
  await expect.element(dialog.getByRole('progressbar')).not.toBeInTheDocument();
  expect(await accessibilityFaults()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: `Import: ${WAITING}` })).toBeVisible();
});

it('fits a phone, with a bar that shows no progress', async () => {
  await page.viewport(390, 780);
  serve(() => job());
  const screen = await stage();
  const bar = screen.getByRole('region', { name: 'Import', exact: true });
  await expect.element(bar.getByText(WAITING)).toBeVisible();
  await expect.element(bar.getByRole('progressbar')).not.toBeInTheDocument();
  const toast = screen.getByText('Answer', { exact: true });
  await expect.element(toast).toBeVisible();
  openImport();
  // It would cover the answers.
  await expect.element(toast, { timeout: 2_000 }).not.toBeInTheDocument();
  for (const name of ['Ignore folders', 'Make 43 spaces', 'Use tags']) {
    await expect.element(screen.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  }
  expect(document.documentElement.scrollWidth).toBe(390);
  expect(await accessibilityFaults()).toEqual([]);
});

it.each([
  ['Use tags', 'tags'],
  ['Make 43 spaces', 'spaces'],
  ['Ignore folders', 'none'],
])('“%s” lets the import begin', async (name, folders) => {
  let current = job();
  const answers = serve(() => current);
  const { dialog } = await open();
  current = job({ status: 'completed', imported: 100, processed: 100 });
  const button = dialog.getByRole('button', { name });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog.getByRole('status')).toMatchTextContent(/100 of 100 read, 100 new/);
  expect(answers).toEqual([{ folders }]);
  expect(dialog.element().contains(document.activeElement)).toBe(true);
});

it('is announced where the progress was, and takes the focus of the button that goes', async () => {
  let current = job({ status: 'pending' });
  serve(() => current);
  const screen = await stage();
  await screen.getByRole('button', { name: 'Import: Import starting' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Import notes and bookmarks' });
  const status = dialog.getByRole('status').element();
  (dialog.getByRole('button', { name: 'Continue in the background' }).element() as HTMLElement).focus();
  current = job();
  await expect.element(dialog.getByRole('button', { name: 'Use tags' })).toHaveFocus();
  expect(dialog.getByRole('status').element()).toBe(status);
  expect(status.textContent).toContain('This would make 43 new spaces');
});

it('that was answered on another device says so and goes on', async () => {
  let current = job();
  serve(() => current, { status: 409, detail: 'This import is not waiting for an answer' });
  const { screen, dialog } = await open();
  current = job({ status: 'running', folders: 'tags', processed: 50 });
  await dialog.getByRole('button', { name: 'Use tags' }).click();
  await expect.element(screen.getByText('This import is not waiting for an answer')).toBeVisible();
  // At once, before the next regular look.
  const status = dialog.getByRole('status');
  await expect.element(status, { timeout: 2_000 }).toMatchTextContent(/50 of 100 read/);
});

it('is asked for by the app above twenty new spaces', async () => {
  serve(() => job());
  await stageDashboard(() => undefined);
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(() => undefined);
  await beginImport(WORKSPACE, new File(['x'], 'notes.zip'), 'spaces');
  await expect.poll(() => send.mock.calls.length).toBe(1);
  const form = send.mock.calls[0]?.[0];
  const payload = form instanceof FormData ? form.get('payload') : null;
  expect(typeof payload === 'string' && JSON.parse(payload)).toMatchObject({
    folders: 'spaces',
    spacesMax: 20,
  });
});
