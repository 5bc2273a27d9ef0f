/** The export of a workspace in the settings: its states in words, what can be done in each, and offline. */
import { afterEach, expect, it, vi } from 'vitest';
import type { ExportJob, ExportShown } from '#shared/capture/export-job.ts';
import { newId } from '#shared/ids.ts';
import { ImportPage } from '#client/workspaces/import-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { USER, WORKSPACE } from '#tests/support/replica-rows.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.documentElement.classList.remove('dark');
});

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

function job(fields: Partial<ExportJob>): ExportJob {
  return {
    id: newId('export'),
    workspaceId: WORKSPACE,
    createdBy: USER,
    contents: ['memories', 'spaces', 'threads'],
    spaceIds: null,
    includesFiles: true,
    status: 'completed',
    total: 400,
    processed: 400,
    bytes: 1_300_000,
    filename: 'acme-2026-07-01.zip',
    error: null,
    created: ago(2),
    updated: ago(2),
    expiresAt: ago(-100),
    ...fields,
  };
}

/** A server with these exports; the result lists what was sent to it. */
function serve(jobs: () => readonly ExportJob[], one?: ExportShown) {
  const sent: { call: string; body: unknown }[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const path = new URL(input instanceof Request ? input.url : String(input), location.href).pathname;
    const method = init?.method ?? 'GET';
    if (path.startsWith('/v1/exports')) {
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      sent.push({ call: `${method} ${path}`, body });
    }
    const isOne = path.split('/').length > 4;
    const result = method === 'POST' ? jobs()[0] : isOne ? one : path.startsWith('/v1/exports') ? jobs() : [];
    return Promise.resolve(Response.json({ success: true, result, meta: { total: 1 } }));
  });
  return sent;
}

const stage = () =>
  stageDashboard(() => undefined, {
    path: '/settings/import',
    position: 'read-only',
    pages: [{ path: 'settings/import', Component: ImportPage }],
  });

it('says what came of each export, and offers the finished ones', async () => {
  serve(() => [
    job({}),
    job({ filename: 'small.zip', includesFiles: false, bytes: 812 }),
    job({ filename: 'broken.zip', status: 'failed', error: 'The export stopped. Start it again.' }),
    job({ filename: 'old.zip', status: 'expired' }),
  ]);
  const { screen } = await stage();
  const rows = screen.getByRole('list', { name: 'Your exports' }).getByRole('listitem');
  await expect.element(rows.nth(0)).toMatchTextContent(/acme-2026-07-01\.zip2 hours ago1\.3 MB/);
  await expect.element(rows.nth(1)).toMatchTextContent(/812 B, without uploaded files/);
  await expect.element(rows.nth(2)).toMatchTextContent(/The export stopped\. Start it again\./);
  await expect.element(rows.nth(3)).toMatchTextContent(/Expired/);
  await expect.element(screen.getByRole('button', { name: 'Download small.zip' })).toBeEnabled();
  for (const name of ['broken.zip', 'old.zip'])
    await expect.element(screen.getByRole('button', { name: `Download ${name}` })).not.toBeInTheDocument();
  expect(await accessibilityFaults()).toEqual([]);
  document.documentElement.classList.add('dark');
  expect(await accessibilityFaults()).toEqual([]);
});

it('starts one with or without files, and follows it to its end', async () => {
  let jobs: ExportJob[] = [];
  const sent = serve(() => jobs);
  const { screen } = await stage();
  await screen.getByRole('checkbox', { name: 'Include uploaded files' }).click();
  jobs = [job({ status: 'running', processed: 100 })];
  await screen.getByRole('button', { name: 'Export workspace' }).click();
  await expect.element(screen.getByText('Exported 100 of 400')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Export workspace' })).toBeDisabled();
  expect(sent.find(({ call }) => call === 'POST /v1/exports')?.body).toEqual({
    workspaceId: WORKSPACE,
    includeFiles: false,
  });
  jobs = [job({})];
  await expect.element(screen.getByRole('button', { name: 'Download acme-2026-07-01.zip' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Export workspace' })).toBeEnabled();
});

it('says why a file is out of reach instead of downloading nothing', async () => {
  const done = job({});
  const error = 'You may no longer read everything in this export. Start a new one.';
  serve(() => [done], { ...done, status: 'expired', error, download: null });
  const { screen } = await stage();
  await screen.getByRole('button', { name: 'Download acme-2026-07-01.zip' }).click();
  await expect.element(screen.getByText(error)).toBeVisible();
});

it('is unavailable offline, in words', async () => {
  serve(() => []);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { screen } = await stage();
  await expect.element(screen.getByText('Exports are unavailable offline.')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Export workspace' })).toBeDisabled();
});
