/** Reading beside the list and on a full page: what follows the keys, what opens, and the place in a long text. */
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { COOKIES } from '#shared/constants.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { readingPlace, saveReadingPlace } from '#client/memories/reading-place.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow, minute } from '#tests/support/replica-rows.ts';

const part = (name: string) => `## ${name}\n\n${'Sand keeps the soil light. '.repeat(20)}`;
const LONG = ['Planks', 'Sand', 'Water', 'Seeds', 'Winter', 'Spring'].map(part).join('\n\n');

const rows = [
  memoryRow({ title: 'Raised beds', created: minute(2), updated: minute(2), ...bodyFields(LONG) }),
  memoryRow({ title: 'Bread', created: minute(1), updated: minute(1), ...bodyFields('Two days of rest.') }),
];

beforeEach(async () => {
  await page.viewport(1440, 700);
  for (const name of [
    'loci-layout-home',
    'loci-reading-places',
    'loci-memory-full',
    'loci-reading-list-width',
    'loci-sidebar-width',
  ])
    localStorage.removeItem(name);
  return () => page.viewport(1280, 800);
});

async function stage(...more: ReturnType<typeof memoryRow>[]) {
  const staged = await stageDashboard((server) => server.put('memory', ...rows, ...more));
  await expect.element(staged.screen.getByRole('link', { name: 'Raised beds' })).toBeVisible();
  await staged.screen.getByRole('radio', { name: 'Reading' }).click();
  const pane = staged.screen.getByRole('region', { name: 'Reading' });
  await expect.element(pane.getByRole('heading', { name: 'Raised beds' })).toBeVisible();
  return { ...staged, pane, list: staged.screen.getByRole('list', { name: 'Home' }) };
}

it('shows the current memory beside the list, by key and by click; Enter opens it', async () => {
  const { screen, pane, list, router } = await stage();
  await list.getByRole('link', { name: 'Bread' }).click();
  await expect.element(pane.getByText('Two days of rest.')).toBeVisible();
  expect(router.state.location.search).toBe('');
  await userEvent.keyboard('k');
  await expect.element(pane.getByRole('heading', { name: 'Raised beds' })).toBeVisible();
  await userEvent.keyboard('j');
  await expect.element(pane.getByText('Two days of rest.')).toBeVisible();
  expect(await accessibilityFaults(document.body)).toEqual([]);
  await userEvent.keyboard('{Enter}');
  const dialog = screen.getByRole('dialog', { name: 'Bread' });
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('f');
  await expect.poll(() => dialog.element().clientWidth).toBe(1440);
  await userEvent.keyboard('f');
  await expect.poll(() => dialog.element().clientWidth).toBeLessThan(1000);
});

it('gives the list and the sidebar the width that a person chose, also the next time', async () => {
  const width = (element: Element | null) => Math.round(element?.getBoundingClientRect().width ?? 0);
  const widths = ({ screen, list }: Awaited<ReturnType<typeof stage>>) => [
    width(screen.getByRole('complementary', { name: 'Sidebar' }).element()),
    width(list.element()),
  ];
  const first = await stage();
  const [sidebar = 0, list = 0] = widths(first);
  for (const name of ['Width of the sidebar', 'Width of the list']) {
    first.screen.getByRole('separator', { name }).element().focus();
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  }
  await expect.poll(() => widths(first)).toEqual([sidebar + 32, list + 32]);
  expect(await accessibilityFaults(document.body)).toEqual([]);
  await first.screen.unmount();
  const again = await stage();
  await expect.poll(() => widths(again)).toEqual([sidebar + 32, list + 32]);
});

it('remembers the place in a long text, and leads to its parts', async () => {
  const { pane } = await stage();
  const scroller = () => pane.element().querySelector('[data-scroll]');
  await userEvent.keyboard('j');
  await expect.element(pane.getByText('Two days of rest.')).toBeVisible();
  await userEvent.keyboard('k');
  await expect.element(pane.getByRole('heading', { name: 'Winter' })).toBeInTheDocument();
  await userEvent.keyboard(' ');
  await expect.poll(() => scroller()?.scrollTop ?? 0).toBeGreaterThan(100);
  // Nothing of the text is below the window.
  await expect.poll(() => pane.element().getBoundingClientRect().bottom - innerHeight).toBeLessThanOrEqual(1);
  const place = scroller()?.scrollTop ?? 0;
  await userEvent.keyboard('j');
  await expect.element(pane.getByText('Two days of rest.')).toBeVisible();
  await userEvent.keyboard('k');
  await expect.poll(() => Math.abs((scroller()?.scrollTop ?? 0) - place)).toBeLessThan(2);

  // In a narrower window the same words are at the upper edge, far from the same number of pixels.
  const frame = () => scroller()?.getBoundingClientRect() ?? new DOMRect();
  const atTop = () =>
    document.elementFromPoint(frame().left + frame().width / 2, frame().top + 2)?.textContent;
  const words = atTop();
  await userEvent.keyboard('j');
  await page.viewport(1_150, 700);
  await userEvent.keyboard('k');
  await expect.poll(atTop).toBe(words);
  await expect.poll(() => Math.abs((scroller()?.scrollTop ?? 0) - place)).toBeGreaterThan(20);

  const contents = pane.getByRole('navigation', { name: 'Contents' });
  if (contents.elements().length === 0) await pane.getByText('Contents').click();
  await contents.getByRole('button', { name: 'Seeds' }).click();
  await expect.element(pane.getByRole('heading', { name: 'Seeds' })).toHaveFocus();
  await expect.element(pane.getByRole('heading', { name: 'Seeds' })).toBeInViewport();
});

it('ends in the window wherever the page is, and begins below its bar', async () => {
  const more = Array.from({ length: 60 }, (_unused, n) =>
    memoryRow({ title: `Older ${n}`, created: minute(-n) }),
  );
  const { pane } = await stage(...more);
  const left = () => innerHeight - pane.element().getBoundingClientRect().bottom;
  const last = document.documentElement.scrollHeight;
  for (const top of [0, 30, 80, 400, 1_500, last, 0]) {
    scrollTo({ top });
    await expect.poll(() => left() >= 0 && left() <= 70).toBe(true);
    if (top < last) expect(pane.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(60);
  }
});

it('remembers no place for a reader whose session has ended', async () => {
  document.cookie = `${COOKIES.session}=token; Path=/`;
  const place = { paragraph: 4, above: 0.5 };
  saveReadingPlace('mem_one', place);
  expect(readingPlace('mem_one')).toEqual(place);
  localStorage.removeItem('loci-reading-places');
  document.cookie = `${COOKIES.session}=; Path=/; Max-Age=0`;
  saveReadingPlace('mem_one', place);
  expect(readingPlace('mem_one')).toBeUndefined();
});
