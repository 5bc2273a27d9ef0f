/** The shell around a workspace's pages: fixed keys take the reader where they say. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { createMemoryRouter, MemoryRouter, Outlet } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { closeAllModals, visibleModal } from '#client/shell/modals.ts';
import { ShellFrame } from '#client/shell/shell-frame.tsx';
import { toastStore } from '#client/shell/toasts.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';

beforeEach(() => toastStore.set([]));
afterEach(() => closeAllModals());

async function open(slug: string | undefined) {
  const element = (
    <ShellFrame slug={slug}>
      <main>
        <h1>Page</h1>
        <input aria-label="Note" />
        <Outlet />
      </main>
    </ShellFrame>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/acme/threads'] });
  return { router, screen: await render(<RouterProvider router={router} />) };
}

describe('in a workspace', () => {
  it.each([
    ['gh', '/acme'],
    ['gs', '/acme/settings'],
    ['gp', '/acme/spaces'],
    ['gt', '/acme/threads'],
    ['gc', '/acme/capsule'],
  ])('the keys %s go to %s', async (keys, path) => {
    const { router } = await open('acme');
    await userEvent.keyboard(keys);
    expect(router.state.location.pathname).toBe(path);
  });

  it('n opens the notifications slideover and closes it', async () => {
    await open('acme');
    await userEvent.keyboard('n');
    expect(visibleModal()).toBe('notifications');
    await userEvent.keyboard('n');
    expect(visibleModal()).toBeUndefined();
  });

  it('a page that is there from the start has its own meaning for a key', async () => {
    const capture = vi.fn<() => void>();
    function Page() {
      useShortcut('memory.capture', capture);
      return <p>Page</p>;
    }
    await render(
      <MemoryRouter>
        <ShellFrame slug="acme">
          <Page />
        </ShellFrame>
      </MemoryRouter>,
    );
    await userEvent.keyboard('c');
    expect(capture).toHaveBeenCalledTimes(1);
    expect(visibleModal()).toBeUndefined();
  });
});

describe('outside of a workspace', () => {
  it('g h goes to the public home and the rest does nothing', async () => {
    const { router } = await open(undefined);
    await userEvent.keyboard('gsnc');
    expect([router.state.location.pathname, visibleModal()]).toEqual(['/acme/threads', undefined]);
    await userEvent.keyboard('gh');
    expect(router.state.location.pathname).toBe('/');
  });
});
