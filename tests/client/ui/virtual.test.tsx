/** Lists and grids of ten thousand in a real browser: few elements, true positions, one Tab stop, the same place again. */
import { createRef } from 'react';
import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import type { VirtualHandle } from '#client/ui/virtual-items.tsx';
import { VirtualGrid } from '#client/ui/virtual-grid.tsx';
import { VirtualList } from '#client/ui/virtual-list.tsx';
import { accessibilityFaults } from '#tests/support/axe.ts';

const items = Array.from({ length: 10_000 }, (_, number) => ({
  id: `m${number}`,
  title: `Memory ${number}`,
}));
type Item = (typeof items)[number];

const shared = {
  label: 'Memories',
  items,
  itemKey: (item: Item) => item.id,
};

function List({ restoreKey, handle }: { restoreKey?: string; handle?: React.Ref<VirtualHandle> }) {
  return (
    <div style={{ height: 400 }}>
      <VirtualList
        {...shared}
        estimateSize={() => 40}
        {...(restoreKey && { restoreKey })}
        {...(handle && { handle })}
        renderItem={(item, { roving }) => (
          <a href={`#${item.id}`} {...roving} className="block h-10">
            {item.title}
          </a>
        )}
      />
    </div>
  );
}

describe('a virtual list', () => {
  it('draws what is in view and tells the whole', async () => {
    const screen = await render(<List />);
    await expect.element(screen.getByRole('link', { name: 'Memory 0' })).toBeVisible();
    expect(screen.getByRole('listitem').elements().length).toBeLessThan(40);
    const first = screen.getByRole('listitem').first();
    await expect.element(first).toHaveAttribute('aria-setsize', '10000');
    await expect.element(first).toHaveAttribute('aria-posinset', '1');
    expect(await accessibilityFaults()).toEqual([]);
  });

  it('is one Tab stop, walked by arrows, Home and End', async () => {
    const screen = await render(<List />);
    await expect.element(screen.getByRole('link', { name: 'Memory 0' })).toBeVisible();
    const link = (number: number) => screen.getByRole('link', { name: `Memory ${number}`, exact: true });
    const first = link(0).element();
    if (first instanceof HTMLElement) first.focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    await expect.element(link(2)).toHaveFocus();
    await userEvent.keyboard('{End}');
    await expect.element(link(9999)).toHaveFocus();
    await userEvent.keyboard('{Home}');
    await expect.element(link(0)).toHaveFocus();
    const stops = screen
      .getByRole('link')
      .elements()
      .filter((element) => element.getAttribute('tabindex') === '0');
    expect(stops).toHaveLength(1);
  });

  it('is moved from outside by its handle', async () => {
    const handle = createRef<VirtualHandle>();
    const screen = await render(<List handle={handle} />);
    await expect.element(screen.getByRole('link', { name: 'Memory 0' })).toBeVisible();
    handle.current?.move(1);
    await expect.element(screen.getByRole('link', { name: 'Memory 1', exact: true })).toHaveFocus();
    expect(handle.current?.active()).toBe(1);
  });

  it('comes back to the same place', async () => {
    const before = await render(<List restoreKey="entry-1" />);
    const scroller = before.container.querySelector('[data-scroll]');
    scroller?.scrollTo(0, 120_000);
    await expect.element(before.getByRole('link', { name: 'Memory 3000', exact: true })).toBeInTheDocument();
    await before.unmount();
    const after = await render(<List restoreKey="entry-1" />);
    await expect.element(after.getByRole('link', { name: 'Memory 3000', exact: true })).toBeInTheDocument();
    expect(after.container.querySelector('[data-scroll]')?.scrollTop).toBe(120_000);
  });
});

describe('a virtual grid', () => {
  it('fills as many columns as fit and moves as the eye does', async () => {
    const screen = await render(
      <div style={{ height: 500, width: 812 }}>
        <VirtualGrid
          {...shared}
          minColumn={250}
          gap={12}
          estimateSize={(item) => 100 + (Number(item.id.slice(1)) % 3) * 40}
          renderItem={(item, { roving }) => (
            <a
              href={`#${item.id}`}
              {...roving}
              className="block"
              style={{ height: 100 + (Number(item.id.slice(1)) % 3) * 40 }}
            >
              {item.title}
            </a>
          )}
        />
      </div>,
    );
    const link = (number: number) => screen.getByRole('link', { name: `Memory ${number}`, exact: true });
    await expect.element(link(0)).toBeVisible();
    const left = (number: number) => Math.round(link(number).element().getBoundingClientRect().left);
    const first = left(0);
    expect([left(1) - first, left(2) - first]).toEqual([275, 549]);
    const top = (number: number) => Math.round(link(number).element().getBoundingClientRect().top);
    expect(top(1)).toBe(top(0));
    const start = link(0).element();
    if (start instanceof HTMLElement) start.focus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(link(1)).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    const below = document.activeElement;
    expect(below && Math.round(below.getBoundingClientRect().left)).toBe(left(1));
    expect(below && below.getBoundingClientRect().top).toBeGreaterThan(top(1));
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(link(1)).toHaveFocus();
  });
});
