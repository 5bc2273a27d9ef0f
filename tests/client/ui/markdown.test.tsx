/** Foreign Markdown in a real browser: nothing runs, nothing loads, links keep their rules. */
import { describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { LazyMarkdown } from '#client/ui/lazy-markdown.tsx';
import { Markdown } from '#client/ui/markdown.tsx';

describe('Markdown', () => {
  it('opens links in a new tab under the rules for foreign text', async () => {
    const screen = await render(<Markdown source="[site](https://example.com/a)" />);
    const link = screen.getByRole('link', { name: 'site' });
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
    await expect.element(link).toHaveAttribute('target', '_blank');
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](//evil.example)',
    '[x](data:text/html,x)',
    '<a href="javascript:alert(1)">x</a>',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<iframe src="https://evil.example"></iframe>',
    '<svg onload=alert(1)>',
    '<style>body{display:none}</style>',
  ])('disarms %s', async (source) => {
    const { container } = await render(<Markdown source={source} />);
    expect(
      container.querySelectorAll('a[href], img, script, iframe, svg, style, [onerror], [onload]'),
    ).toHaveLength(0);
  });

  it('shows a remote picture as a link and never loads it', async () => {
    const screen = await render(<Markdown source="![Plan](https://example.com/pixel.png)" />);
    await expect.element(screen.getByRole('link', { name: 'Image: Plan' })).toBeVisible();
    expect(screen.container.querySelector('img')).toBeNull();
    expect(performance.getEntriesByName('https://example.com/pixel.png')).toHaveLength(0);
  });

  it('offers to copy a block of code, on pages without tooltips too', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const screen = await render(<Markdown source={'```ts\nconst a = 1;\n```'} />);
    await screen.getByRole('button', { name: 'Copy code' }).click();
    expect(write.mock.calls).toEqual([['const a = 1;\n']]);
    write.mockRestore();
  });

  it('leaves the first heading level to the page', async () => {
    const screen = await render(<Markdown source={'# One\n\n## Two'} />);
    await expect.element(screen.getByRole('heading', { level: 2 })).toHaveTextContent('One');
    await expect.element(screen.getByRole('heading', { level: 3 })).toHaveTextContent('Two');
  });

  it('shows what is too long as it is', async () => {
    const { container } = await render(<Markdown source={`# ${'a'.repeat(200_000)}`} />);
    expect(container.querySelector('h2')).toBeNull();
    expect(container.textContent?.startsWith('# a')).toBe(true);
  });

  it('re-renders only the last block of a growing text', async () => {
    const screen = await render(<Markdown growing source={'First\n\nSec'} />);
    const first = screen.container.querySelector('p');
    await screen.rerender(<Markdown growing source={'First\n\nSecond block'} />);
    expect(screen.container.querySelector('p')).toBe(first);
    await expect.element(screen.getByText('Second block')).toBeVisible();
  });

  it('shows the plain text until its renderer has come', async () => {
    const screen = await render(<LazyMarkdown source="**bold**" />);
    await expect.element(screen.getByText('bold', { exact: true })).toBeVisible();
    expect(screen.container.querySelector('strong')).not.toBeNull();
  });
});
