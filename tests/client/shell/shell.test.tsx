/** The shell around pages in a real browser: toasts by the clock and by key, navigation, titles, the error page. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { createMemoryRouter, Link, Outlet } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ErrorPage } from '#client/shell/error-page.tsx';
import { LoadingBar } from '#client/shell/loading-bar.tsx';
import { openModal, visibleModal } from '#client/shell/modals.ts';
import { usePageTitle } from '#client/shell/page-title.ts';
import { RouteAnnouncer } from '#client/shell/route-announcer.tsx';
import { SkipLink } from '#client/shell/skip-link.tsx';
import { Toaster } from '#client/shell/toaster.tsx';
import { showToast, toastStore } from '#client/shell/toasts.ts';
import { accessibilityFaults } from '#tests/support/axe.ts';

describe('the toaster', () => {
  beforeEach(() => toastStore.set([]));
  afterEach(() => void vi.useRealTimers());

  it('closes a toast by itself after 5000 ms and forgets it 200 ms later', async () => {
    vi.useFakeTimers();
    await render(<Toaster />);
    showToast({ title: 'Saved' });
    await vi.advanceTimersByTimeAsync(4999);
    expect(toastStore.get()[0]?.open).toBe(true);
    await vi.advanceTimersByTimeAsync(2);
    expect(toastStore.get()[0]?.open).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(toastStore.get()).toEqual([]);
  });

  it('takes the focus at the bottom right on F8', async () => {
    const screen = await render(<Toaster />);
    showToast({ title: 'Link copied' });
    await expect.element(screen.getByText('Link copied', { exact: true }).first()).toBeVisible();
    await userEvent.keyboard('{F8}');
    const region = screen.getByRole('region', { name: 'Notifications (F8)' });
    await expect.poll(() => region.element().contains(document.activeElement)).toBe(true);
    const { right, bottom } = screen.getByRole('list').element().getBoundingClientRect();
    expect([right, bottom]).toEqual([document.documentElement.clientWidth, innerHeight]);
  });

  it('runs the action and closes', async () => {
    const undo = vi.fn<() => void>();
    const screen = await render(<Toaster />);
    showToast({ title: 'Archived', actions: [{ label: 'Undo', run: undo }] });
    await screen.getByRole('button', { name: 'Undo' }).click();
    expect(undo).toHaveBeenCalledTimes(1);
    await expect.element(screen.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  });
});

function Page({ name }: { name: string }) {
  usePageTitle(name);
  return (
    <main id="main">
      <h1>{name}</h1>
      <Link to="/spaces">Go</Link>
    </main>
  );
}

function startApp() {
  const release = Promise.withResolvers<null>();
  const root = (
    <>
      <SkipLink />
      <RouteAnnouncer />
      <LoadingBar />
      <Outlet />
    </>
  );
  const children = [
    { index: true, element: <Page name="Home" /> },
    {
      path: 'spaces',
      element: <Page name="Spaces" />,
      loader: () => release.promise,
      errorElement: <ErrorPage failure={{ statusCode: 503, statusMessage: 'Unavailable', message: '' }} />,
    },
  ];
  const router = createMemoryRouter([{ path: '/', element: root, children }]);
  return { router, release };
}

describe('a navigation', () => {
  it('focuses the new heading, announces the title and closes the modals of the old page', async () => {
    const { router, release } = startApp();
    const screen = await render(<RouterProvider router={router} />);
    expect(document.title).toBe('Home | Loci');
    openModal('earlyAccess', {});
    release.resolve(null);
    await screen.getByRole('link', { name: 'Go' }).click();
    await expect.element(screen.getByRole('heading', { name: 'Spaces' })).toHaveFocus();
    await expect.element(screen.getByRole('status')).toHaveTextContent('Spaces | Loci');
    expect(visibleModal()).toBeUndefined();
  });

  it('that takes longer shows the loading bar until it is there', async () => {
    const { router, release } = startApp();
    const screen = await render(<RouterProvider router={router} />);
    const bar = screen.getByTestId('loading-bar');
    expect(bar.element().clientHeight).toBe(3);
    await expect.element(bar).toHaveStyle({ opacity: '0' });
    await screen.getByRole('link', { name: 'Go' }).click();
    await expect.element(bar).toHaveStyle({ opacity: '1' });
    release.resolve(null);
    await expect.element(screen.getByRole('heading', { name: 'Spaces' })).toBeVisible();
    await expect.element(bar).toHaveStyle({ opacity: '0' });
  });

  it('that fails gives the loading bar the colour of an error', async () => {
    const { router, release } = startApp();
    const screen = await render(<RouterProvider router={router} />);
    const bar = screen.getByTestId('loading-bar');
    await screen.getByRole('link', { name: 'Go' }).click();
    await expect.element(bar).toHaveStyle({ opacity: '1' });
    const seen: string[] = [];
    const observer = new MutationObserver(() => seen.push(bar.element().innerHTML));
    observer.observe(bar.element(), { attributes: true, subtree: true });
    release.reject(new Response(null, { status: 503 }));
    await expect.element(screen.getByText('503')).toBeVisible();
    await expect.poll(() => seen.some((html) => html.includes('bg-danger'))).toBe(true);
    observer.disconnect();
    await expect.element(bar).toHaveStyle({ opacity: '0' });
  });

  it('can be skipped by the first stop of the Tab key', async () => {
    const { router } = startApp();
    const screen = await render(<RouterProvider router={router} />);
    await userEvent.keyboard('{Tab}');
    await expect.element(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
  });
});

describe('the error page', () => {
  it('shows the fixed words, the path and the way home', async () => {
    const failure = { statusCode: 404, statusMessage: 'Not found', message: 'Page Not Found: /nowhere' };
    const router = createMemoryRouter([{ path: '*', element: <ErrorPage failure={failure} /> }]);
    const screen = await render(<RouterProvider router={router} />);
    await expect.element(screen.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect.element(screen.getByText('We are sorry but this page could not be found.')).toBeVisible();
    await expect.element(screen.getByText('Page Not Found: /nowhere')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to home' }).element().getAttribute('href')).toBe('/');
    expect(await accessibilityFaults()).toEqual([]);
  });
});
