/** The usage page: what language models were asked, with its limit, and only for those who may see it. */
import { afterEach, expect, it, vi } from 'vitest';
import type { Usage } from '#shared/workspaces/usage.ts';
import { UsagePage } from '#client/workspaces/usage-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  document.documentElement.classList.remove('dark');
});

const AI: NonNullable<Usage['ai']> = {
  calls: 80,
  tokensIn: 123_456,
  tokensOut: 7_890,
  estimated: 2,
  byFeature: { chat: 80, embedding: 1_234 },
  embeddingTokens: 98_765,
  byDay: [
    { date: '2026-07-30', calls: 30, tokensIn: 23_456, tokensOut: 890 },
    { date: '2026-07-31', calls: 50, tokensIn: 100_000, tokensOut: 7_000 },
  ],
};

function usage(fields: Pick<Usage, 'ai' | 'limits'>): Usage {
  return {
    period: { start: '2026-07-01T00:00:00.000Z', end: '2026-08-01T00:00:00.000Z' },
    memories: { total: 12, archived: 1, byType: { note: 12 }, byOrigin: {}, byStatus: {}, created: 3 },
    spaces: { total: 1, public: 0 },
    threads: { total: 2, public: 0 },
    messages: { total: 4, inPeriod: 4, byRole: {} },
    members: { total: 1, byPosition: { owner: 1 }, pendingInvites: 0 },
    storage: { bytes: 1_000, byKind: {} },
    search: { queries: 0 },
    api: { requests: 0, errors: 0, byKey: null },
    publicViews: { spaces: 0, threads: 0 },
    series: [{ date: '2026-07-31', memories: 3, messages: 4, requests: 0 }],
    topDomains: [],
    topTags: [],
    ...fields,
  };
}

async function stage(shown: Usage, position: 'owner' | 'member' = 'owner') {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() =>
    Promise.resolve(Response.json({ success: true, result: shown })),
  );
  const { screen } = await stageDashboard(() => undefined, {
    path: '/settings/usage',
    position,
    pages: [{ path: 'settings/usage', Component: UsagePage }],
  });
  return screen;
}

it('shows answers and tokens of the month and of each day, and what is left of the limit', async () => {
  const screen = await stage(usage({ ai: AI, limits: { aiCalls: 100 } }));
  const section = screen.getByRole('region', { name: 'Answers by language models' });
  await expect.element(section).toMatchTextContent(/Tokens read123,456.*Tokens written7,890/);
  await expect.element(section).toMatchTextContent(/Embedding requests1,234.*Tokens embedded98,765/);
  await expect.element(section).toMatchTextContent(/The tokens of 2 of 80 answers are estimated/);
  const rows = section.getByRole('row');
  await expect.element(rows.nth(1)).toMatchTextContent(/^31 July50100,0007,000$/);
  await expect.element(rows.nth(2)).toMatchTextContent(/^30 July3023,456890$/);
  await expect.element(screen.getByText('80 of 100')).toBeVisible();
  expect(await accessibilityFaults()).toEqual([]);
  document.documentElement.classList.add('dark');
  expect(await accessibilityFaults()).toEqual([]);
});

it('says that no model wrote anything yet', async () => {
  const none = { ...AI, calls: 0, estimated: 0, byFeature: {}, byDay: [] };
  const screen = await stage(usage({ ai: none, limits: { aiCalls: null } }));
  await expect.element(screen.getByText('No answer was written by a language model yet.')).toBeVisible();
  await expect.element(screen.getByText('There are no limits here.')).toBeVisible();
});

it('shows members neither the answers nor a limit that they cannot compare', async () => {
  const screen = await stage(usage({ ai: null, limits: { aiCalls: 100 } }), 'member');
  await expect.element(screen.getByText('By kind')).toBeVisible();
  await expect.element(screen.getByText(/Answers by/)).not.toBeInTheDocument();
  await expect.element(screen.getByText(/of 100/)).not.toBeInTheDocument();
});
