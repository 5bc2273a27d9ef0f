// The copy of a page, made by a real browser: what is shown is in it, what may be secret or can run is not.
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyPage } from '#client/extension/page-copy.ts';
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/chromium.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGS] });
  page = await browser.newPage();
});
afterAll(() => browser.close());

async function copied(html: string) {
  await page.setContent(html);
  return page.evaluate(copyPage);
}

it('has what scripts drew, what lies in shadow trees, and the words that are selected', async () => {
  await page.setContent(`<title>Shore</title><p id="late"></p>
    <x-card><template shadowrootmode="open"><h2>In the shade</h2><slot></slot></template><p>In its slot</p></x-card>
    <script>late.textContent = 'Drawn & shown'</script>`);
  await page.locator('#late').selectText();
  const { title, selection, html } = await page.evaluate(copyPage);
  expect([title, selection]).toEqual(['Shore', 'Drawn & shown']);
  expect(html).toContain('<p id="late">Drawn &amp; shown</p>');
  expect(html).toMatch(/<x-card><h2>In the shade<\/h2><slot><p>In its slot<\/p><\/slot><\/x-card>/);
});

it('has no scripts, handlers, styles, frames, form values and hidden fields', async () => {
  const { html } = await copied(`<title>A &lt;b&gt;</title><style>.x{}</style><script>var secret1</script>
    <p onclick="secret2()" data-token="secret3" nonce="secret4">Text</p><input type="hidden" value="secret5">
    <input value="secret6"><textarea>typed before</textarea><iframe srcdoc="secret7"></iframe>
    <img src="data:image/png;base64,secret8" alt="A picture"><template>secret9</template>`);
  expect(html).not.toMatch(/secret/);
  expect(html).toContain('<title>A &lt;b&gt;</title>');
  expect(html).toContain('<img alt="A picture">');
});

it('keeps what names the author, the sources of formulas, and that a page asks for a password', async () => {
  const data = '{"@type":"Article","author":"Maria </b> Marsh"}';
  const { html } = await copied(`<script type="application/ld+json">${data}</script>
    <script type="math/tex">a < b</script><input type="password" value="secret">`);
  expect(html).toContain(`<script type="application/ld+json">${data}</script>`);
  expect(html).toContain('<script type="math/tex">a < b</script>');
  expect(html).toContain('<input type="password">');
});

it('of a page that is nested deeply is made all the same', async () => {
  await page.setContent('<title>Deep</title>');
  await page.evaluate(() => {
    let inner: Element = document.body;
    for (let depth = 0; depth < 2_000; depth += 1) inner = inner.appendChild(document.createElement('div'));
    inner.textContent = 'At the bottom';
  });
  expect((await page.evaluate(copyPage)).html).toContain('At the bottom');
});
