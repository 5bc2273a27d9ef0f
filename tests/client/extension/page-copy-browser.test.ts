// The copy of a page, made by a real browser: what is shown is in it, what may be secret or can run is not.
import sharp from 'sharp';
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyPage } from '#client/extension/page-copy.ts';
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/chromium.ts';
import { page as served, serveSite } from '#tests/support/local-site.ts';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: ensureChromium(), args: [...CHROMIUM_ARGS] });
  page = await browser.newPage();
});
afterAll(() => browser.close());

async function copied(html: string) {
  await page.setContent(html);
  return page.evaluate(copyPage, true);
}

it('has what scripts drew, what lies in shadow trees, and the words that are selected', async () => {
  await page.setContent(`<title>Shore</title><p id="late"></p>
    <x-card><template shadowrootmode="open"><h2>In the shade</h2><slot></slot></template><p>In its slot</p></x-card>
    <script>late.textContent = 'Drawn & shown'</script>`);
  await page.locator('#late').selectText();
  const { title, selection, html } = await page.evaluate(copyPage, true);
  expect([title, selection]).toEqual(['Shore', 'Drawn & shown']);
  expect(html).toContain('<p id="late">Drawn &amp; shown</p>');
  expect(html).toMatch(/<x-card><h2>In the shade<\/h2><slot><p>In its slot<\/p><\/slot><\/x-card>/);
});

it('has no scripts, handlers, frames, form values and hidden fields', async () => {
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
  expect((await page.evaluate(copyPage, true)).html).toContain('At the bottom');
});

it('has the styles and pictures of its own site, also those that only a person who is logged in gets', async () => {
  const dot = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const behindLogIn =
    (body: Buffer | string, type: string): Parameters<typeof serveSite>[0][string] =>
    (request, response) => {
      if (request.headers.cookie !== 'in=1') return void response.writeHead(403).end();
      return served(body, { 'content-type': type })(request, response);
    };
  const other = await serveSite({ '/far.png': served(dot, { 'content-type': 'image/png' }) });
  const site = await serveSite({
    '/': served(
      `<title>Bills</title><link rel="stylesheet" href="/look.css" media="screen">
      <link rel="stylesheet" href="/gone.css"><style>p::after { content: "</style" }</style>
      <picture><source srcset="/large.png"><img id="near" src="/dot.png" srcset="/dot.png 2x" alt="A dot"></picture>
      <img id="far" src="${other.url}/far.png" alt="Far"><p>Paid</p>`,
      { 'set-cookie': 'in=1' },
    ),
    '/look.css': behindLogIn('p { color: teal; background: url(icons/a.png) }', 'text/css'),
    '/dot.png': behindLogIn(dot, 'image/png'),
    '/large.png': behindLogIn(dot, 'image/png'),
  });
  try {
    await page.goto(site.url);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('h1 { color: red }');
      document.adoptedStyleSheets = [sheet];
      document.styleSheets[2]?.insertRule('b { color: blue }');
    });
    const { html } = await page.evaluate(copyPage, true);
    expect(html).toContain(
      `<style media="screen">p { color: teal; background: url("${site.url}/icons/a.png"); }</style>`,
    );
    expect(html).toContain('<link rel="stylesheet" href="/gone.css">');
    expect(html).toContain('h1 { color: red; }');
    expect(html).toContain(`src="data:image/png;base64,${dot.toString('base64')}"`);
    expect(html).not.toMatch(/srcset|<source/);
    expect(html).toContain(`<img id="far" src="${other.url}/far.png" alt="Far">`);
    const { html: plain } = await page.evaluate(copyPage, false);
    expect(plain).not.toMatch(/<style|data:/);
    expect(plain).toContain('<source srcset="/large.png">');
  } finally {
    await site.close();
    await other.close();
  }
});
