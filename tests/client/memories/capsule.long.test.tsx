/** The capsule one memory at a time, over a real replica: its keys, undo, place and list. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { z } from 'zod';
import { CapsulePage } from '#client/memories/capsule-page.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { bodyFields } from '#shared/memories/body.ts';
import { memoryRow, spaceRow } from '#tests/support/replica-rows.ts';

const DAY_MS = 86_400_000;
const created = new Date(Date.now() - 400 * DAY_MS).toISOString();
const rows = ['Alpha', 'Beta', 'Gamma'].map((title) =>
  memoryRow({ title, created, updated: created, ...bodyFields(`Text of ${title}`) }),
);

async function stage() {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith('loci-capsule-')) localStorage.removeItem(name);
  }
  const staged = await stageDashboard(
    (server) => {
      server.put('memory', ...rows);
      server.put('space', spaceRow({ name: 'Garden', slug: 'garden' }));
    },
    { path: '/capsule', pages: [{ path: 'capsule', Component: CapsulePage }] },
  );
  const card = staged.screen.getByRole('article');
  await expect.element(card).toBeVisible();
  return { ...staged, card, title: () => card.getByRole('heading', { level: 2 }).element().textContent };
}

const placed = (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible();

it('shows one memory with its reason, and goes on and back by key', async () => {
  const { screen, card, title } = await stage();
  await placed('1 of 3');
  await expect.element(card.getByText(/^Not changed since /)).toBeVisible();
  const first = title();
  await expect.element(card.getByText(`Text of ${first}`)).toBeVisible();
  await userEvent.keyboard('j');
  await placed('2 of 3');
  expect(title()).not.toBe(first);
  await userEvent.keyboard('k');
  await placed('1 of 3');
  expect(title()).toBe(first);
  await userEvent.keyboard('jjj');
  await expect.element(screen.getByText('That was today’s capsule')).toBeVisible();
  await screen.getByRole('button', { name: 'Previous' }).click();
  await placed('3 of 3');
  expect(await accessibilityFaults(document.body)).toEqual([]);
});

it('keeps and archives, each with an undo that brings the card back', async () => {
  const { screen, server, title } = await stage();
  const first = title();
  await userEvent.keyboard('y');
  await placed('2 of 3');
  await expect.element(screen.getByText('Kept. It rests for 30 days.')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await placed('1 of 3');
  expect(localStorage.getItem('loci-capsule-kept')).toBeNull();
  await userEvent.keyboard('a');
  await placed('2 of 3');
  const archived = () =>
    [...server.rows.values()].flatMap(({ value }) => {
      const row = z.object({ archived: z.literal(true), title: z.string() }).safeParse(value);
      return row.success ? [row.data.title] : [];
    });
  await expect.poll(archived).toEqual([first]);
  await userEvent.keyboard('{Control>}z{/Control}');
  await placed('1 of 3');
  await expect.poll(archived).toEqual([]);
});

it('keeps the place, and has the list as second view', async () => {
  const { screen } = await stage();
  await screen.getByRole('button', { name: 'Next' }).click();
  await placed('2 of 3');
  await userEvent.keyboard('m');
  await expect.element(screen.getByRole('dialog', { name: /space/i })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await screen.getByRole('radio', { name: 'List', exact: true }).click();
  const list = screen.getByRole('list', { name: 'Coming back today' });
  await expect.poll(() => list.getByRole('listitem').elements().length).toBe(3);
  await screen.getByRole('radio', { name: 'One at a time' }).click();
  await placed('2 of 3');
});

it('is thrown to the side with a finger: right keeps, a short pull does nothing', async () => {
  const { screen, card } = await stage();
  const pull = (by: number) => {
    const fire = (type: string, clientX: number) =>
      card.element().dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          isPrimary: true,
          pointerId: 7,
          pointerType: 'touch',
          clientX,
        }),
      );
    fire('pointerdown', 200);
    fire('pointermove', 200 + by / 2);
    fire('pointermove', 200 + by);
    fire('pointerup', 200 + by);
  };
  pull(40);
  await placed('1 of 3');
  pull(160);
  await placed('2 of 3');
  await expect.element(screen.getByText('Kept. It rests for 30 days.')).toBeVisible();
  pull(-160);
  await placed('3 of 3');
  await expect.element(screen.getByText('Memory archived')).toBeVisible();
});
