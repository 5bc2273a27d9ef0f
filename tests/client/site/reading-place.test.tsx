/** The list of the documentation's pages in a low window: it scrolls by itself to the page that is read. */
import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { showReadingPlace } from '#client/site/reading-place.ts';

it('brings the current page into sight within its list, and leaves the page where it is', async () => {
  const pages = Array.from({ length: 60 }, (_, index) => index);
  const screen = await render(
    <nav id="docs-pages">
      <div data-scroll className="h-40 overflow-y-auto">
        {pages.map((page) => (
          <a
            key={page}
            href={`#${page}`}
            className="block h-8"
            aria-current={page === 50 ? 'page' : undefined}
          >
            Page {page}
          </a>
        ))}
      </div>
      <div style={{ height: '300vh' }} />
    </nav>,
  );
  showReadingPlace();
  await expect.element(screen.getByRole('link', { name: 'Page 50' })).toBeInViewport({ ratio: 1 });
  expect(scrollY).toBe(0);
  const list = document.querySelector('[data-scroll]');
  expect(list?.scrollTop).toBeGreaterThan(0);
});
