/** Foreign Markdown in a real browser: nothing runs, nothing loads, links keep their rules. */
import { describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { cutText, PART_LETTERS } from '#client/ui/cut-text.ts';
import { LazyMarkdown } from '#client/ui/lazy-markdown.tsx';
import { Markdown } from '#client/ui/markdown.tsx';
import { PublicText } from '#client/ui/public-text.tsx';
import type { BodyNode } from '#shared/markdown/body-node.ts';

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
    '<iframe src="//evil.example"></iframe>',
    '<svg onload=alert(1)>',
    '<style>body{display:none}</style>',
  ])('disarms %s', async (source) => {
    const { container } = await render(<Markdown source={source} />);
    expect(
      container.querySelectorAll('a[href], img, script, iframe, svg, style, [onerror], [onload]'),
    ).toHaveLength(0);
  });

  it('leaves raw HTML out and keeps the line breaks of table cells', async () => {
    const source =
      'a <iframe src="https://evil.example"></iframe> b\n\n| c |\n| - |\n| d<br>e |\n\n<div>f</div>';
    const { container } = await render(<Markdown source={source} />);
    await expect.poll(() => container.querySelectorAll('td br').length).toBe(1);
    expect(container.textContent).not.toContain('iframe');
    expect([...container.querySelectorAll('*')].map(({ localName }) => localName)).not.toContain('iframe');
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

  it('draws a block of code at once, and soon in the colours of its language', async () => {
    const { container } = await render(<Markdown source={'```ts\nconst a = 1;\n```'} />);
    const code = () => container.querySelector('pre code');
    expect(code()?.textContent).toBe('const a = 1;\n');
    await expect.poll(() => code()?.querySelector('.tk-keyword')?.textContent).toBe('const');
    expect(code()?.textContent).toBe('const a = 1;\n');
  });

  it('has the same colours on a public page', async () => {
    const body: BodyNode[] = [
      ['pre', {}, ['code', { language: 'ts' }, ['span', { colour: 'keyword' }, 'const']]],
    ];
    const { container } = await render(<PublicText body={body} below={1} />);
    expect(container.querySelector('pre code .tk-keyword')?.textContent).toBe('const');
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

  it('shows the plain text until its renderer has come', async () => {
    const screen = await render(<LazyMarkdown source="**bold**" />);
    await expect.element(screen.getByText('bold', { exact: true })).toBeVisible();
    expect(screen.container.querySelector('strong')).not.toBeNull();
  });

  it('draws one long list, table and nested list whole, each as one element', async () => {
    const rows = (count: number, row: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => row(index)).join('\n');
    const list = rows(800, (index) => `${index + 3}. item ${index}`);
    const table = `| a | b | c |\n| - | - | - |\n${rows(400, (index) => `| ${index} | x | y |`)}`;
    const nested = `- outer\n${rows(500, (index) => `  - inner ${index}`)}\n- after`;
    const { container } = await render(<Markdown source={`${list}\n\n# Middle\n\n${table}\n\n${nested}`} />);
    await expect.poll(() => container.querySelectorAll('li').length).toBe(1_302);
    await expect.poll(() => container.querySelectorAll('tr').length).toBe(401);
    expect(['ol', 'table', 'tbody', 'ul'].map((tag) => container.querySelectorAll(tag).length)).toEqual([
      1, 1, 1, 2,
    ]);
    expect(container.querySelector('ol')?.start).toBe(3);
    expect([...container.querySelectorAll('ol > li')].map((item) => item.textContent?.trim())).toEqual(
      Array.from({ length: 800 }, (_, index) => `item ${index}`),
    );
    expect(container.querySelector('ul > li:last-child')?.textContent).toMatch(/inner 499|after/);
  });

  it('shows a text of very many lines as it is, to its last line', async () => {
    const source = Array.from({ length: 20_000 }, (_, index) => (index % 3 === 0 ? '' : `- ${index}`)).join(
      '\n',
    );
    const { container } = await render(<Markdown source={source} />);
    await expect.poll(() => container.textContent?.includes('19999')).toBe(true);
    expect(container.innerText.split('\n').filter((line) => line !== '')).toEqual(
      source.split('\n').filter((line) => line !== ''),
    );
  });

  it.each([
    ['words', (n: number) => `word${n}`, ' '],
    ['marks', (n: number) => (n % 7 === 0 ? `**word${n}** and*so*on` : `word${n}`), ' '],
    ['lines', (n: number) => `word${n}`, '\n'],
    ['one word', () => 'abcdefghij😀', ''],
    ['references', (n: number) => (n % 5 === 0 ? `[[a note ${n}]]` : `word${n}`), ' '],
  ])('copies a long paragraph of %s as the same words', async (_, word, gap) => {
    const source = Array.from({ length: 6_000 }, (_, n) => word(n)).join(gap);
    const plain = source.replaceAll(/\*|^\s|\s$/g, '').replaceAll('\n', ' ');
    const { container } = await render(<Markdown source={source} />);
    await expect.poll(() => container.querySelectorAll('p > span.inline-block').length).toBeGreaterThan(2);
    const copied = () => {
      getSelection()?.selectAllChildren(container);
      return getSelection()?.toString().trim();
    };
    await expect.poll(copied).toBe(plain);
    expect(container.querySelectorAll('p')).toHaveLength(1);
  });
});

describe('cutText', () => {
  it.each([
    ['words', 'some words '.repeat(5_000)],
    ['lines', `${'a line\n'.repeat(6_000)}end`],
    ['letters of two units', '😀'.repeat(20_000)],
    ['an odd number before them', `a${'😀'.repeat(20_000)}`],
    ['references', '[[a b]] '.repeat(5_000)],
    ['open references', '[[a b '.repeat(5_000)],
    ['nothing', ''],
  ])('gives %s back whole', (_, text) => {
    const parts = cutText(text);
    expect(parts.join('')).toBe(text);
    expect(parts.every((part) => part.length <= PART_LETTERS && part.isWellFormed())).toBe(true);
    expect(parts.length).toBeLessThanOrEqual(1 + Math.ceil((2 * text.length) / PART_LETTERS));
  });

  it('cuts between words, and outside of references', () => {
    expect(
      cutText('some words '.repeat(5_000)).every(
        (part) => part.startsWith('some') || part.startsWith('words'),
      ),
    ).toBe(true);
    expect(cutText('[[a b]] '.repeat(5_000)).every((part) => part.startsWith('[[a b]]'))).toBe(true);
  });
});
