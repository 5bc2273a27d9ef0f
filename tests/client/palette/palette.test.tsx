/** The command palette over a real replica: what it finds, what stands first, its modes, and what only the server has. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { bodyFields } from '#shared/memories/body.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';
import { stageDashboard } from '#tests/support/dashboard-stage.tsx';
import { memoryRow, messageRow, minute, spaceRow, threadRow } from '#tests/support/replica-rows.ts';
import { waitFor } from '../../support/wait-for.ts';

const bread = memoryRow({
  title: 'Sourdough bread',
  tags: ['recipe'],
  ...bodyFields('Fold **once** an hour.'),
});
const noteB = memoryRow({ title: 'Bread knives', created: minute(-5), updated: minute(-5) });
const space = spaceRow({ name: 'Kitchen', slug: 'kitchen' });
const thread = threadRow({ name: 'Weekend' });
const message = messageRow({ threadId: thread.id, content: 'Shall we bake bread on Sunday?' });

function stage(options: Parameters<typeof stageDashboard>[1] = {}) {
  return stageDashboard((server) => {
    server.put('memory', bread, noteB);
    server.put('space', space);
    server.put('thread', thread);
    server.put('message', message);
  }, options);
}

/** Returns the REST calls of the page; the replica's server stands apart. */
function answer(reply: (path: string) => unknown, meta: Readonly<Record<string, unknown>> = {}): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const path = new URL(new Request(input).url).pathname;
    const found = await reply(path);
    return found === undefined
      ? Response.json(
          { success: false, error: { message: 'Not found', detail: '', code: 'not_found' } },
          { status: 404 },
        )
      : Response.json({ success: true, result: found, meta });
  });
}

async function open(screen: Awaited<ReturnType<typeof stage>>['screen']) {
  await expect.element(screen.getByRole('link', { name: 'Sourdough bread' })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  const palette = screen.getByRole('dialog', { name: 'Search and commands' });
  await expect.element(palette.getByRole('option', { name: 'Sourdough bread' })).toBeVisible();
  return palette;
}

afterEach(() => vi.restoreAllMocks());

describe('the palette', () => {
  it('puts what was found first, so that Enter opens it, and marks the words in plain text', async () => {
    const { screen, router } = await stage();
    const palette = await open(screen);
    await userEvent.fill(palette.getByRole('combobox'), 'sourd');
    const hit = palette.getByRole('option', { name: /Sourdough bread/ });
    await expect.element(hit).toHaveAttribute('aria-selected', 'true');
    await expect.element(hit.getByText('Fold once an hour.')).toBeVisible();
    await expect.element(palette.getByRole('option', { name: /Save “sourd” as note/ })).toBeVisible();
    await expect.element(hit).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('dialog', { name: 'Sourdough bread' })).toBeVisible();
    expect(router.state.location.search).toBe(`?memory=${bread.id}`);
    await userEvent.keyboard('{Escape}');
  });

  it('carries out an Enter that came before its rows', async () => {
    const { screen } = await stage();
    await expect.element(screen.getByRole('link', { name: 'Sourdough bread' })).toBeVisible();
    const rowsAtEnter: number[] = [];
    const watch = new MutationObserver(() => {
      const field = document.querySelector('[role="dialog"] [role="combobox"]');
      if (!field || rowsAtEnter.length > 0) return;
      rowsAtEnter.push(document.querySelectorAll('[role="dialog"] [role="option"]').length);
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    watch.observe(document, { childList: true, subtree: true });
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(screen.getByRole('dialog', { name: 'Sourdough bread' })).toBeVisible();
    watch.disconnect();
    expect(rowsAtEnter).toEqual([0]);
    await userEvent.keyboard('{Escape}');
  });

  it('puts an action whose words are typed above the memories that have them', async () => {
    const about = memoryRow({ title: 'How to import notes' });
    const { screen } = await stageDashboard((server) => server.put('memory', bread, about));
    const palette = await open(screen);
    await userEvent.fill(palette.getByRole('combobox'), 'import notes');
    await expect.element(palette.getByRole('option', { name: /How to import notes/ })).toBeVisible();
    const action = palette.getByRole('option', { name: 'Import notes and bookmarks' });
    await expect.element(action).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{Escape}');
  });

  it('finds spaces, messages of threads, tags, actions and places', async () => {
    const { screen, router } = await stage();
    const palette = await open(screen);
    await userEvent.fill(palette.getByRole('combobox'), 'bake');
    await expect.element(palette.getByRole('option', { name: /Weekend.*Shall we bake bread/ })).toBeVisible();
    await userEvent.fill(palette.getByRole('combobox'), '/kit');
    await expect
      .element(palette.getByRole('option', { name: 'Kitchen' }))
      .toHaveAttribute('aria-selected', 'true');
    await userEvent.fill(palette.getByRole('combobox'), '#rec');
    await expect.element(palette.getByRole('option', { name: 'recipe 1' })).toBeVisible();
    await userEvent.fill(palette.getByRole('combobox'), '>');
    for (const name of [
      /^Save a memory/,
      /^Import/,
      /^New space/,
      /^New thread/,
      /^Notifications/,
      /^Sync now/,
      /^Log out/,
    ])
      await expect.element(palette.getByRole('option', { name })).toBeVisible();
    for (const name of [
      /^Home/,
      /^Capsule/,
      /^Spaces/,
      /^Threads/,
      /^Settings G/,
      /^Settings: Members/,
      /^Settings: Usage/,
      /^Archive/,
      /^Documentation/,
    ])
      await expect.element(palette.getByRole('option', { name })).toBeVisible();
    await userEvent.fill(palette.getByRole('combobox'), '>caps');
    await expect
      .element(palette.getByRole('option', { name: /^Capsule/ }))
      .toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => router.state.location.pathname).toBe('/acme/capsule');
  });

  it('shows that it is still indexing while the index loads, and its results after that', async () => {
    let read: (() => void) | undefined;
    const searchReady = new Promise<void>((resolve) => {
      read = resolve;
    });
    const { screen } = await stage({ searchReady });
    const palette = await open(screen);
    const none = palette.getByText('No matching memories on this device.');
    await userEvent.fill(palette.getByRole('combobox'), 'zebra');
    await expect.element(palette.getByText('Still indexing your memories.')).toBeVisible();
    expect(none.elements()).toEqual([]);
    // A quick Enter must not save the words as a note before it is known whether they are there.
    expect(palette.getByRole('option', { name: /as note/ }).elements()).toEqual([]);
    read?.();
    await expect.element(none).toBeVisible();
    await expect.element(palette.getByRole('option', { name: /Save “zebra” as note/ })).toBeVisible();
    expect(palette.getByText(/^Still indexing/).elements()).toEqual([]);
    await userEvent.fill(palette.getByRole('combobox'), 'sourd');
    await expect.element(palette.getByRole('option', { name: /Sourdough bread/ })).toBeVisible();
  });

  it('shows words typed before the index was there once it is', async () => {
    let read: (() => void) | undefined;
    const searchReady = new Promise<void>((resolve) => {
      read = resolve;
    });
    const { screen } = await stage({ searchReady });
    const palette = await open(screen);
    await userEvent.fill(palette.getByRole('combobox'), 'sourd');
    await expect.element(palette.getByText(/^Still indexing/)).toBeVisible();
    read?.();
    await expect.element(palette.getByRole('option', { name: /Sourdough bread/ })).toBeVisible();
  });

  it('starts a thread with a question', async () => {
    const { screen, router, server } = await stage();
    const palette = await open(screen);
    await userEvent.fill(palette.getByRole('combobox'), '?');
    await expect.element(palette.getByText(/Starts a thread with your question/)).toBeVisible();
    await expect.element(palette.getByRole('option', { name: 'Weekend' })).toBeVisible();
    await userEvent.fill(palette.getByRole('combobox'), '? which flour');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => router.state.location.pathname).toMatch(/^\/acme\/threads\/thrd_/);
    const id = router.state.location.pathname.split('/').at(-1) ?? '';
    await waitFor(() => expect(server.row('thread', id)?.name).toBe('which flour'));
  });

  it('opens a hit that only the server has, once it has come to the device', async () => {
    const { screen, server } = await stage();
    const late = memoryRow({ title: 'Rye sourdough from afar' });
    answer((path) => {
      if (path.endsWith('/memories/search')) return [late];
      if (!path.endsWith(late.id)) return undefined;
      server.put('memory', late);
      return late;
    });
    const palette = await open(screen);
    await userEvent.fill(palette.getByRole('combobox'), 'sourdough');
    await expect
      .element(palette.getByRole('option', { name: /^Sourdough bread/ }))
      .toHaveAttribute('aria-selected', 'true');
    const hit = palette.getByRole('option', { name: 'Rye sourdough from afar' });
    await expect.element(hit).toBeVisible();
    await expect
      .element(palette.getByRole('option', { name: /^Sourdough bread/ }))
      .toHaveAttribute('aria-selected', 'true');
    await hit.click();
    await expect.element(screen.getByRole('dialog', { name: 'Rye sourdough from afar' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
  });

  it('ranks what the server found by meaning among its own, below what Enter opens', async () => {
    const { screen, server } = await stage();
    const cheese = memoryRow({ title: 'Cheddar' });
    server.put('memory', cheese);
    const palette = await open(screen);
    const titles = () =>
      palette
        .getByRole('option')
        .elements()
        .map((option) => /^(?:Sourdough bread|Bread knives|Cheddar)/.exec(option.textContent)?.[0])
        .filter(Boolean);
    const label = () => palette.getByText('More results from the server').elements().length;
    const find = async (query: string, mode: string, ...found: unknown[]) => {
      const held = Promise.withResolvers<unknown>();
      answer((path) => (path.endsWith('/memories/search') ? held.promise : undefined), { mode });
      await userEvent.fill(palette.getByRole('combobox'), query);
      await expect.poll(titles).toEqual(['Bread knives', 'Sourdough bread']);
      held.resolve(found);
    };
    await find('bread', 'hybrid', cheese);
    await expect.poll(titles).toEqual(['Bread knives', 'Cheddar', 'Sourdough bread']);
    await find('brea', 'hybrid', bread, cheese);
    await expect.poll(titles).toEqual(['Bread knives', 'Sourdough bread', 'Cheddar']);
    expect(label()).toBe(0);
    await expect
      .element(palette.getByRole('option', { name: /^Bread knives/ }))
      .toHaveAttribute('aria-selected', 'true');
    await find('bre', 'text', bread, cheese);
    await expect.poll(label).toBe(1);
    expect(titles()).toEqual(['Bread knives', 'Sourdough bread', 'Cheddar']);
  });

  it('opens from the viewer with its acts, and shows all results as a list', async () => {
    const { screen, router } = await stage();
    await screen.getByRole('link', { name: 'Sourdough bread' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Sourdough bread' })).toBeVisible();
    await userEvent.keyboard('{Control>}k{/Control}');
    const palette = screen.getByRole('dialog', { name: 'Search and commands' });
    await userEvent.fill(palette.getByRole('combobox'), '>archive');
    await expect
      .element(palette.getByRole('option', { name: /^Archive A$/ }))
      .toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByText('Memory archived')).toBeVisible();
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect
      .element(
        screen.getByRole('dialog', { name: 'Sourdough bread' }).getByRole('button', { name: 'Archive' }),
      )
      .toBeVisible();
    await userEvent.keyboard('{Escape}');
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.fill(palette.getByRole('combobox'), 'bread');
    await palette.getByRole('option', { name: /all 2 results/ }).click();
    await expect.element(screen.getByRole('list', { name: 'Found memories' })).toBeVisible();
    expect(router.state.location.search).toBe('?q=bread');
    await expect.element(screen.getByText('2 memories, best first')).toBeVisible();
    expect(await accessibilityFaults()).toEqual([]);
    await userEvent.fill(screen.getByRole('searchbox', { name: 'Search memories' }), 'tag:recipe');
    await expect.element(screen.getByText('1 memory, best first')).toBeVisible();
    expect(new URLSearchParams(router.state.location.search).get('q')).toBe('tag:recipe');
  });
});
