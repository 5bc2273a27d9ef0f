/** The setting of who writes answers: tested and saved on the server, with a key that is never shown. */
import { afterEach, expect, it, vi } from 'vitest';
import type { AnsweringSettings } from '#shared/threads/answering-settings.ts';
import { SettingsPage } from '#client/workspaces/settings-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  document.documentElement.classList.remove('dark');
});

const SETTINGS: AnsweringSettings = {
  provider: 'server',
  url: null,
  model: null,
  describes: false,
  hasKey: false,
  keyEnd: null,
  server: { name: 'parrot', host: 'models.example' },
  embedding: null,
  keepsKeys: true,
  updated: null,
};

type Reply = (body: Record<string, unknown>, path: string) => Response;

/** A server that has these settings; the result lists what it was sent. */
function serve(settings: AnsweringSettings, reply: Reply) {
  const sent: [path: string, body: Record<string, unknown>][] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const path = new URL(input instanceof Request ? input.url : String(input), location.href).pathname;
    if (init?.method === undefined || init.method === 'GET') {
      // Beside them the page asks whether the workspace is suspended.
      const result = path.endsWith('/settings') ? settings : null;
      return Promise.resolve(Response.json({ success: true, result }));
    }
    const body: Record<string, unknown> = JSON.parse(typeof init.body === 'string' ? init.body : '{}');
    sent.push([path.replace(/.*\/settings/, 'settings'), body]);
    return Promise.resolve(reply(body, path));
  });
  return sent;
}

async function stage(position: 'owner' | 'admin' | 'member' = 'owner') {
  const { screen } = await stageDashboard(() => undefined, {
    path: '/settings',
    position,
    pages: [{ path: 'settings', Component: SettingsPage }],
  });
  return screen;
}

const done = (result: unknown) => Response.json({ success: true, result });
const refused = (detail: string) =>
  Response.json({ success: false, error: { message: 'Invalid', detail, code: 'invalid' } }, { status: 422 });

it('tests and saves a service with its key, and then shows only the end of the key', async () => {
  const sent = serve(SETTINGS, (body, path) =>
    path.endsWith('/test')
      ? done({ answer: 'Here I am.', problem: null })
      : done({
          ...SETTINGS,
          provider: body['provider'],
          url: body['url'],
          model: body['model'],
          describes: body['describes'],
          hasKey: true,
          keyEnd: '7f3e',
          updated: '2026-07-01T12:00:00.000Z',
        }),
  );
  const screen = await stage('admin');
  const answers = screen.getByRole('region', { name: 'Answers' });
  await expect.element(answers.getByText('parrot at models.example')).toBeVisible();
  await expect
    .element(answers.getByRole('button', { name: 'Save' }))
    .toHaveAttribute('aria-disabled', 'true');
  await answers.getByRole('radio', { name: 'Another address' }).click();
  await answers.getByLabelText('Address').fill('https://owl.example/v1');
  await answers.getByLabelText('Model').fill('owl');
  await answers.getByLabelText('Key').fill('sk-own-key-7f3e');
  await answers.getByRole('checkbox', { name: /^Also write titles/ }).click();
  await answers.getByRole('button', { name: 'Test' }).click();
  await expect.element(answers.getByRole('status')).toMatchTextContent('It answered: Here I am.');
  expect(await accessibilityFaults()).toEqual([]);
  document.documentElement.classList.add('dark');
  expect(await accessibilityFaults()).toEqual([]);
  await answers.getByRole('button', { name: 'Save' }).click();
  await expect.element(answers.getByText(/The key ending in 7f3e is kept/)).toBeVisible();
  await expect.element(answers.getByLabelText('Key')).toHaveValue('');
  await expect.element(answers.getByRole('button', { name: 'Save' })).toHaveFocus();
  const body = {
    provider: 'openai-compatible',
    url: 'https://owl.example/v1',
    model: 'owl',
    describes: true,
    apiKey: 'sk-own-key-7f3e',
  };
  expect(sent).toEqual([
    ['settings/test', body],
    ['settings', body],
  ]);
});

it('shows at the field what the server does not take, and why a test failed', async () => {
  const sent = serve(
    { ...SETTINGS, provider: 'anthropic', model: 'claude', hasKey: true, keyEnd: null },
    (_body, path) =>
      path.endsWith('/test')
        ? done({ answer: null, problem: 'The service refused the request.' })
        : refused('apiKey: Required'),
  );
  const screen = await stage();
  const answers = screen.getByRole('region', { name: 'Answers' });
  await expect.element(answers.getByText('A key is kept. Leave this empty to keep it.')).toBeVisible();
  await answers.getByRole('button', { name: 'Test' }).click();
  await expect.element(answers.getByText('The service refused the request.')).toBeVisible();
  // The key of one service is not that of another.
  await answers.getByRole('radio', { name: 'Google' }).click();
  await expect.element(answers.getByText('The service refused the request.')).not.toBeInTheDocument();
  await expect.element(answers.getByText(/Kept encrypted on the server/)).toBeVisible();
  await answers.getByLabelText('Model').fill('gemini');
  await answers.getByRole('button', { name: 'Save' }).click();
  await expect.element(answers.getByText('Required')).toBeVisible();
  await expect.element(answers.getByLabelText('Model')).toHaveValue('gemini');
  expect(sent.map(([, { apiKey }]) => apiKey)).toEqual([undefined, undefined]);
});

it('says where texts go for search by meaning, unless no model is wanted', async () => {
  serve({ ...SETTINGS, embedding: { name: 'compass', host: 'vectors.example' } }, () => refused('no'));
  const screen = await stage();
  const answers = screen.getByRole('region', { name: 'Answers' });
  const note = answers.getByText(/searches are sent to compass at vectors\.example/);
  await expect.element(note).toBeVisible();
  await answers.getByRole('radio', { name: 'No language model' }).click();
  await expect.element(note).not.toBeInTheDocument();
  await expect.element(answers.getByText(/search goes by words alone, and nothing leaves/)).toBeVisible();
  expect(await accessibilityFaults()).toEqual([]);
});

it('is not there for members', async () => {
  serve(SETTINGS, () => refused('no'));
  const screen = await stage('member');
  await expect.element(screen.getByRole('region', { name: 'Address' })).toBeVisible();
  await expect.element(screen.getByRole('region', { name: 'Answers' })).not.toBeInTheDocument();
});
