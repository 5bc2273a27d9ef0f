/** The layouts of a list: months, the wall of cards and its arrows, compact rows, and the key that changes them. */
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { bodyFields } from '#shared/memories/body.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow } from '#tests/support/replica-rows.ts';

const DAY = 24 * 3_600_000;
const NOON = Date.UTC(2026, 4, 30, 12);

const texts = ['Short.', 'A longer text. '.repeat(20), '- [x] one\n- [ ] two\n- three', '```sh\nnpm ci\n```'];

const rows = Array.from({ length: 120 }, (_unused, index) => {
  const created = new Date(NOON - index * DAY).toISOString();
  const text = texts[index % texts.length] ?? '';
  return memoryRow({ title: `Memory ${index}`, created, updated: created, ...bodyFields(text) });
});

beforeEach(async () => {
  await page.viewport(1440, 900);
  localStorage.removeItem('loci-layout-home');
  return () => page.viewport(1280, 800);
});

async function stage() {
  const staged = await stageDashboard((server) => server.put('memory', ...rows));
  const list = staged.screen.getByRole('list', { name: 'Home' });
  await expect.element(list.getByRole('link', { name: 'Memory 0', exact: true })).toBeVisible();
  return { ...staged, list };
}

it('separates months, counts them and leads to any of them', async () => {
  const { screen, list } = await stage();
  await expect.element(list.getByRole('heading', { name: 'May 2026' })).toBeVisible();
  await expect.element(list.getByText('30 memories')).toBeVisible();
  await screen.getByRole('button', { name: 'May 2026: go to another month' }).click();
  await screen.getByRole('menuitem', { name: 'March 2026 (31)' }).click();
  await expect.element(list.getByRole('heading', { name: 'March 2026' })).toBeInViewport();
  await expect.element(list.getByRole('link', { name: 'Memory 60', exact: true })).toBeInViewport();
  expect(list.getByRole('heading', { name: 'May 2026' }).elements()).toEqual([]);
});

it('shows cards by what they are, in reading order and without overlap, and the arrows follow the eye', async () => {
  const { screen, list } = await stage();
  await screen.getByRole('radio', { name: 'Grid' }).click();
  const code = list.getByText('npm ci').first();
  await expect.element(code).toBeVisible();
  expect(getComputedStyle(code.element()).fontSize).toBe('13.5px');
  await expect.element(list.getByText('To do:').first()).toBeInTheDocument();
  expect(await accessibilityFaults(document.body)).toEqual([]);
  const cards = [...list.element().querySelectorAll('li:has([data-item])')].map((card) => {
    // What is inside fits, or its foot would be cut off.
    const content = card.firstElementChild;
    expect(content?.scrollHeight ?? 0).toBeLessThanOrEqual((content?.clientHeight ?? 0) + 1);
    return card.getBoundingClientRect();
  });
  expect(cards.length).toBeGreaterThan(12);
  for (const [index, card] of cards.entries()) {
    expect(card.top).toBeGreaterThanOrEqual((cards[index - 1]?.top ?? 0) - 1);
    for (const other of cards.slice(index + 1)) {
      const isApart =
        other.top >= card.bottom || other.left >= card.right - 1 || other.right <= card.left + 1;
      expect(isApart).toBe(true);
    }
  }
  const focused = () => document.activeElement?.closest('li')?.getBoundingClientRect() ?? new DOMRect();
  await userEvent.keyboard('j');
  await expect.element(list.getByRole('link', { name: 'Memory 0', exact: true })).toHaveFocus();
  const start = focused();
  await userEvent.keyboard('{ArrowDown}');
  expect(focused().left).toBe(start.left);
  expect(focused().top).toBeGreaterThan(start.top);
  await userEvent.keyboard('{ArrowRight}');
  expect(focused().left).toBeGreaterThan(start.left);
  await userEvent.keyboard('{ArrowLeft}{ArrowUp}');
  expect(focused().left).toBe(start.left);
  await userEvent.keyboard('{End}');
  await expect.element(list.getByRole('link', { name: 'Memory 119', exact: true })).toHaveFocus();
});

it('goes to the next layout with a key and remembers it', async () => {
  const { list } = await stage();
  const heightOf = () => list.element().querySelector('li:has([data-item])')?.clientHeight;
  const before = heightOf() ?? 0;
  await userEvent.keyboard('v');
  await expect.poll(() => heightOf() ?? before).toBeLessThan(before);
  expect(localStorage.getItem('loci-layout-home')).toBe('compact');
  await userEvent.keyboard('vvv');
  await expect.poll(() => localStorage.getItem('loci-layout-home')).toBeNull();
});

it('offers the layouts on a phone in the menu of the order, and dates its compact rows', async () => {
  await page.viewport(390, 844);
  const { screen, list } = await stage();
  await expect.element(screen.getByRole('radio', { name: 'Compact' })).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Date saved' }).click();
  await screen.getByRole('menuitemradio', { name: 'Compact' }).click();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => localStorage.getItem('loci-layout-home')).toBe('compact');
  const items = [...list.element().querySelectorAll('li:has([data-item])')];
  expect(items.length).toBeGreaterThan(8);
  for (const item of items) {
    const [time, ...others] = [...item.querySelectorAll('time')].filter((each) => each.checkVisibility());
    expect(others).toEqual([]);
    expect(time?.getBoundingClientRect().right).toBeLessThanOrEqual(390);
    expect(time?.textContent).toMatch(/^\d+ [A-Z][a-z]{2}/);
  }
  expect(await accessibilityFaults(document.body)).toEqual([]);
});

it('leaves single keys alone while the focus is beside the page', async () => {
  const { screen } = await stage();
  const home = screen.getByRole('navigation').getByRole('link', { name: 'Home' }).first();
  home.element().focus();
  await userEvent.keyboard('j');
  await expect.element(home).toHaveFocus();
});
