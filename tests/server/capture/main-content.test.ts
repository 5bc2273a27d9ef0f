/** What is taken as the content of a page: the article without its clutter, and with what belongs to it. */
import { describe, expect, it } from 'vitest';
import { mainContent } from '#server/capture/main-content.ts';

const URL_OF_PAGE = 'https://shore.example/tides';
const SENTENCE =
  'The tide comes in twice a day, and each time it brings back what the harbour had forgotten about the sea. ';
const PROSE = Array.from({ length: 8 }, (_, at) => `<p>Part ${at}. ${SENTENCE.repeat(3)}</p>`);

async function textOf(inside: string, around = ''): Promise<string> {
  const html = `<!doctype html><html lang="en"><head><title>Tides</title></head><body>
    <nav><a href="/">Home</a> <a href="/about">About us</a></nav>
    <main><article><h1>Tides</h1>${inside}</article></main>${around}
    <footer>© 2026 The Shore</footer></body></html>`;
  return (await mainContent(html, URL_OF_PAGE))?.contentMarkdown ?? '';
}

describe('an article', () => {
  it('is there whole, without the menu and the foot of the page', async () => {
    const text = await textOf(PROSE.join(''));
    for (let at = 0; at < PROSE.length; at += 1) expect(text).toContain(`Part ${at}.`);
    for (const other of ['About us', '© 2026']) expect(text).not.toContain(other);
  });

  it('loses links to other articles of the site, and keeps sources and links within sentences', async () => {
    const text = await textOf(
      [
        ...PROSE.slice(0, 4),
        '<p>Read more: <a href="/storms">Storms that changed the coast for good</a></p>',
        '<p>As <a href="/moon">the moon</a> pulls, the water follows, and the boats lift one after the other.</p>',
        ...PROSE.slice(4),
        '<ul><li><a href="/one">Ten harbours</a></li><li><a href="/two">Ten lighthouses</a></li></ul>',
        '<ul><li><a href="https://tables.example/2026">Tide tables of 2026</a></li></ul>',
      ].join(''),
    );
    for (const gone of ['Storms that changed', 'Ten harbours', 'Ten lighthouses'])
      expect(text).not.toContain(gone);
    for (const kept of ['[the moon]', 'Tide tables of 2026']) expect(text).toContain(kept);
  });

  it('keeps tables, programs and lists', async () => {
    const text = await textOf(
      [
        ...PROSE.slice(0, 4),
        '<table><thead><tr><th>Hour</th><th>Level</th></tr></thead><tbody><tr><td>04:12</td><td>3.1 m</td></tr></tbody></table>',
        '<pre><code class="language-js">const level = tide(4);\nconsole.log(level);</code></pre>',
        '<ul><li>Rope</li><li>Fenders</li></ul>',
        ...PROSE.slice(4),
      ].join(''),
    );
    expect(text).toMatch(/\| 04:12\s*\| 3\.1 m\s*\|/);
    expect(text).toContain('const level = tide(4);\nconsole.log(level);');
    expect(text).toMatch(/- Rope\n- Fenders/);
  });
});

describe('other pages', () => {
  it('that are lists of links stay lists of links', async () => {
    const links = Array.from(
      { length: 30 },
      (_, at) => `<li><a href="/harbour-${at}">Harbour number ${at}</a></li>`,
    );
    const text = await textOf(`<p>All harbours of the coast.</p><ul>${links.join('')}</ul>`);
    for (let at = 0; at < 30; at += 1) expect(text).toContain(`Harbour number ${at}`);
  });

  it('that are short keep their one sentence', async () => {
    expect(await textOf('<p>The harbour office is closed on Sundays.</p>')).toContain('closed on Sundays');
  });

  it.each([
    ['nothing', ''],
    ['no element', 'only words'],
    ['tags that never end', '<div><p><b>'.repeat(100)],
    ['a link without an end', `<a href="${'x'.repeat(100_000)}">`],
    ['addresses that are none', `${PROSE.join('')}<p><a href="http://[">Broken</a></p>`],
  ])('of %s end in a text or in nothing', async (_name, html) => {
    await expect(mainContent(html, URL_OF_PAGE)).resolves.not.toThrow();
  });
});
