// Snapshots of hostile pages: what they hold is parsed again and judged by what a browser would see in it.
import type { Element, Nodes } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { RESOURCES, SNAPSHOT } from '#server/capture/snapshots/snapshot-limits.ts';
import { snapshotOf } from '#server/capture/snapshots/take-snapshot.ts';
import { createEgress, type Egress } from '#server/providers/egress.ts';
import { page, redirect, serveSite, type LocalSite } from '#tests/support/local-site.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const png = (body: Buffer = PIXEL) => page(body, { 'content-type': 'image/png' });
const css = (text: string) => page(text, { 'content-type': 'text/css' });
const svg = (text: string) => page(text, { 'content-type': 'image/svg+xml' });

let site: LocalSite;
let egress: Egress;
beforeAll(async () => {
  egress = createEgress('private');
  site = await serveSite({
    '/a.png': png(),
    '/b.png': png(),
    '/deep/c.png': png(),
    '/large.png': png(Buffer.alloc(RESOURCES.image.bytes + 1)),
    '/half.png': png(Buffer.alloc(RESOURCES.image.bytes - 10)),
    '/liar.png': page('<script>alert(1)</script>'),
    '/moved.png': redirect('/a.png'),
    '/slow.png': () => undefined,
    '/style.css': css(
      '@import "more.css" screen; @import "style.css"; .hero { background: url(deep/c.png) }',
    ),
    '/more.css': css('.more { color: teal }'),
    '/drawing.svg': svg(
      `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)" viewBox="0 0 9 9"><script>alert(2)</script>
       <foreignObject><iframe src="javascript:alert(3)"></iframe></foreignObject><image href="https://spy.example/x.png"/>
       <a href="javascript:alert(4)"><rect width="9" height="9" fill="url(https://spy.example/y)"/></a>
       <animate attributeName="href" to="javascript:alert(5)"/><circle r="2" fill="red"/></svg>`,
    ),
  });
});
afterAll(async () => {
  await egress.close();
  await site.close();
});

const sourceOf = (html: string, path = '/') => ({
  url: site.url + path,
  mediaType: 'text/html',
  charset: 'utf-8',
  body: Buffer.from(html),
});

async function taken(html: string, path?: string): Promise<string> {
  const made = await snapshotOf(egress, sourceOf(html, path));
  if (made === undefined) throw new Error('no snapshot');
  return made.toString('utf8');
}

function elementsIn(html: string): Element[] {
  const found: Element[] = [];
  const open: Nodes[] = [fromHtml(html)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'element') found.push(node);
    if ('children' in node) for (const child of node.children) open.push(child);
  }
  return found.toReversed();
}

const wordsOf = (node: Nodes): string =>
  node.type === 'text' ? node.value : 'children' in node ? node.children.map(wordsOf).join('') : '';

/** What a snapshot must never hold, whatever its page held. */
function faultsOf(html: string): string[] {
  const faults: string[] = [];
  const NEVER =
    /^(?:script|iframe|frame|object|embed|form|input|button|base|link|svg|math|template|noscript|video|audio)$/;
  for (const { tagName, properties, children } of elementsIn(html)) {
    if (NEVER.test(tagName)) faults.push(tagName);
    if (tagName === 'meta' && /refresh/i.test(String(properties['httpEquiv']))) faults.push('refresh');
    for (const [name, value] of Object.entries(properties)) {
      const text = String(value);
      if (/^on/i.test(name)) faults.push(name);
      if (name === 'href' && !/^(?:https?:|mailto:|#)/.test(text)) faults.push(`href ${text}`);
      if (name === 'src' && !text.startsWith('data:image/')) faults.push(`src ${text}`);
      if (['srcSet', 'action', 'formAction', 'ping', 'poster', 'background', 'srcDoc'].includes(name))
        faults.push(name);
      if (name === 'style') faults.push(...cssFaults(text));
    }
    if (tagName === 'style') faults.push(...cssFaults(children.map(wordsOf).join('')));
  }
  return faults;
}

const cssFaults = (text: string) =>
  [
    ...text.matchAll(
      /@import|url\((?!data:(?:image\/|,)|#)[^)]*|expression\(|behavior|-moz-binding|<\/style/gi,
    ),
  ].map(([fault]) => fault);

describe('a hostile page', () => {
  test.each([
    [
      'scripts',
      '<script>alert(1)</script><script src="/x.js"></script><body onload="alert(2)"><p onclick=x>Text',
    ],
    [
      'links that run',
      '<a href="javascript:alert(1)">Text</a><a href=" java\nscript:alert(1)">a</a><a href="data:text/html,x">b</a><a href="vbscript:x">c</a>',
    ],
    [
      'frames',
      '<p>Text</p><iframe src="/x"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe><object data="/x"></object><embed src="/x">',
    ],
    ['forms', '<form action="/steal"><input name=q><button formaction="/steal">Text</button></form>'],
    ['meta refresh', '<meta http-equiv="refresh" content="0;url=/x"><p>Text'],
    [
      'styles that load',
      '<style>@import "http://127.0.0.1:1/x.css";@import url(javascript:alert(1));p{background:url(javascript:alert(1));behavior:url(x.htc);width:expression(alert(1));-moz-binding:url(x)}i{background:image-set("http://127.0.0.1:1/a.png" 1x)}@font-face{font-family:x;src:url(http://127.0.0.1:1/f)}:root{--x:url(http://127.0.0.1:1/v)}</style><p style="background:url(http://127.0.0.1:1/a)">Text',
    ],
    [
      'a style that ends itself',
      '<style>p::before{content:"<\\/style><script>alert(1)<\\/script>"}</style><p>Text',
    ],
    [
      'a broken style',
      '<style>}}}p{color:url( ; @media{{{</style><p style="}}; color: red; background:url(">Text',
    ],
    [
      'drawings',
      '<p>Text</p><svg onload=alert(1)><script>alert(1)</script><a href="javascript:x"><circle r=1 /></a><style>@import "/x"</style><set attributeName=href to=javascript:x /></svg>',
    ],
    [
      'foreign content',
      '<p>Text</p><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;"></table></mtext></math>',
    ],
    [
      'text that becomes markup',
      '<p>Text</p><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript><xmp><img src=x onerror=x></xmp><title><img src=x onerror=x></title>',
    ],
    [
      'templates',
      '<p>Text</p><template><script>alert(1)</script></template><template shadowrootmode=open><script>x</script></template>',
    ],
  ])('with %s keeps its words and nothing that runs or loads', async (_what, html) => {
    const made = await taken(html);
    expect(faultsOf(made)).toEqual([]);
    expect(wordsOf(fromHtml(made))).toContain('Text');
  });

  it('is a document that names its own limits', async () => {
    const made = await taken('<html lang="de" class="wide"><title>Ein Titel</title><p>Text');
    expect(made).toMatch(/^<!doctype html><html lang="de" class="wide">/);
    const policy = elementsIn(made).find(
      ({ properties }) => String(properties['httpEquiv']) === 'Content-Security-Policy',
    );
    expect(policy?.properties['content']).toMatch(
      /^default-src 'none'; img-src data:; style-src 'unsafe-inline'/,
    );
    expect(made).toContain('<title>Ein Titel</title>');
  });

  it('with script in a drawing keeps the shapes alone', async () => {
    const made = await taken('<p>Text</p><img src="/drawing.svg" alt="Drawing">');
    const image = elementsIn(made).find(({ tagName }) => tagName === 'img');
    const text = Buffer.from(String(image?.properties['src']).split(',')[1] ?? '', 'base64').toString();
    expect(text).toContain('<circle r="2" fill="red"');
    for (const part of ['script', 'alert', 'iframe', 'foreignObject', 'spy.example', 'onload', 'animate'])
      expect(text).not.toContain(part);
  });

  it('that nests too deep brings down its thread alone', async () => {
    const deep = sourceOf(`<p>Text${'<div>'.repeat(100_000)}x`);
    expect(await snapshotOf(egress, deep)).toBeUndefined();
    expect(await taken('<p>Next')).toContain('Next');
  });

  it('that shows nothing without its scripts has no snapshot', async () => {
    expect(
      await snapshotOf(egress, sourceOf('<title>App</title><div id="root"></div><script></script>')),
    ).toBeUndefined();
  });
});

const pictures = (html: string) => elementsIn(html).filter(({ tagName }) => tagName === 'img');
const notes = (html: string) =>
  elementsIn(html)
    .filter(({ properties }) => 'dataLeftOut' in properties)
    .map(wordsOf);

describe('what a page refers to', () => {
  it('is written into it: pictures, styles, imports, and what styles refer to', async () => {
    const made = await taken(
      '<link rel=stylesheet href="/style.css" media="screen"><img src="a.png" alt="A"><img src="/moved.png" alt="B"><p style="background:url(b.png)">',
    );
    expect(faultsOf(made)).toEqual([]);
    expect(pictures(made)).toHaveLength(2);
    expect(made).toContain(PIXEL.toString('base64'));
    expect(made).toMatch(/<style media="screen">@media screen\{\.more\{color:teal\}\}/);
    expect(made).toContain('.hero{background:url(data:image/png;base64,');
  });

  it('is found by the base of the page, and links lead to where they led', async () => {
    const made = await taken(
      '<base href="/deep/"><base href="https://other.example/"><a href="../x?q=1#y">Link</a><a href="#part">Part</a><img src="c.png" alt="C">',
      '/some/page',
    );
    const [link, part] = elementsIn(made).filter(({ tagName }) => tagName === 'a');
    expect(link?.properties).toMatchObject({ href: `${site.url}/x?q=1#y`, rel: ['noreferrer', 'noopener'] });
    expect(part?.properties['href']).toBe('#part');
    expect(pictures(made)).toHaveLength(1);
  });

  it('is chosen from source sets, however they are nested', async () => {
    const made = await taken(
      `<picture><source srcset="data:image/gif;base64,AAAA 1x, /b.png 1200w"><img srcset="/a.png, /a.png 2x" alt="1"></picture>
       <picture><picture><source srcset="/deep/c.png 1600w, /nowhere.png 300w"><img alt="2"></picture></picture>
       <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/a.png" alt="3"><img srcset=", , ,,," alt="4"><p>Text`,
    );
    expect(faultsOf(made)).toEqual([]);
    expect(pictures(made).map(({ properties }) => properties['alt'])).toEqual(['1', '2', '3']);
    expect(notes(made)).toEqual(['Image not saved: 4']);
    expect(site.asked).not.toContain('/nowhere.png');
  });

  it('names all addresses of a picture, by which the text of the page finds it, once and never more than fit', async () => {
    const sizes = Array.from({ length: 5_000 }, (_, n) => `/size-${n}.png ${n + 2_000}w`).join();
    const made = await taken(
      `<img src="/small.png?a=1&b=2" srcset="/b.png 1200w, /a.png 2400w" alt="1"><img src="/a.png" srcset="/a.png 1200w, ${sizes}" alt="2">
       <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-from="javascript:alert(1) https://a.example/x" alt="3"><p>Text`,
    );
    const [first, second, third] = pictures(made).map(({ properties }) =>
      String(properties['dataFrom']).replaceAll(site.url, '').split(' '),
    );
    expect(first).toEqual(['/b.png', '/small.png?a=1&b=2', '/a.png']);
    expect(second?.length).toBeLessThan(50);
    expect(third).toEqual(['https://a.example/x']);
    expect(site.asked).not.toContain('/small.png?a=1&b=2');
  });

  it('and is missing, too large, or no picture is named by its words', async () => {
    const made = await taken(
      `<p>Text</p><img src="/gone.png" alt="A gull"><img src="/large.png" alt="A whale"><img src="/liar.png" alt="A lie">
       <img src="/gone.png" alt=""><img src="/gone.png"><img src="file:///etc/passwd" alt="A file">
       <video src="/film.mp4" title="A film"></video><iframe src="https://maps.example/x" title="A map"></iframe>`,
    );
    expect(notes(made)).toEqual([
      ...['A gull', 'A whale', 'A lie'].map((name) => `Image not saved: ${name}`),
      'Image not saved',
      'Image not saved: A file',
      'Video not saved: A film',
      'Embedded page not saved: A map',
    ]);
    expect(elementsIn(made).find(({ tagName }) => tagName === 'a')?.properties['href']).toBe(
      `${site.url}/film.mp4`,
    );
  });
});

describe('the limits', () => {
  it('of 5,000 pictures let the first ones through', async () => {
    const before = site.asked.length;
    const many = Array.from(
      { length: 5_000 },
      (_, index) => `<img src="/a.png?${index}" alt="Nr. ${index}">`,
    );
    const made = await taken(many.join(''));
    expect(site.asked.length - before).toBe(RESOURCES.image.count);
    expect(pictures(made)).toHaveLength(RESOURCES.image.count);
    expect(notes(made)).toHaveLength(5_000 - RESOURCES.image.count);
    expect(notes(made).at(-1)).toBe('Image not saved: Nr. 4999');
  });

  it('hold for one picture in a thousand places', async () => {
    const made = await taken('<img src="/half.png" alt="Half">'.repeat(1_000));
    expect(made.length).toBeLessThan(SNAPSHOT.inlinedBytes * 1.2);
    expect(pictures(made).length).toBeGreaterThan(1);
    expect(notes(made).length).toBe(1_000 - pictures(made).length);
  });

  it('hold for what the page brings along itself', async () => {
    const huge = `data:image/png;base64,${'A'.repeat(RESOURCES.image.bytes * 2)}`;
    const made = await taken(`<p style="background:url(${huge})">Text</p><img src="${huge}" alt="Huge">`);
    expect(made.length).toBeLessThan(10_000);
    expect(notes(made)).toEqual(['Image not saved: Huge']);
  });

  it('end the wait for slow pictures, and the others come', async () => {
    const slow = '<img src="/slow.png" alt="Slow">'.concat(
      ...Array.from({ length: 20 }, (_, index) => `<img src="/slow.png?${index}" alt="Slow">`),
    );
    const resources = { ...RESOURCES, eachMs: 1_000, allMs: 5_000 };
    const made = await snapshotOf(egress, sourceOf(`<img src="/a.png" alt="A">${slow}`), { resources });
    const html = made?.toString() ?? '';
    expect(pictures(html)).toHaveLength(1);
    expect(notes(html)).toHaveLength(21);
  });

  it('keep addresses of the own network out', async () => {
    const guarded = createEgress('public');
    const before = site.asked.length;
    const html = `<p>Text</p><img src="${site.url}/a.png" alt="Inside"><img src="http://169.254.169.254/latest" alt="Cloud">
      <img src="http://[::1]/x.png" alt="Six"><link rel=stylesheet href="${site.url}/style.css">`;
    const made = await snapshotOf(guarded, { ...sourceOf(html), url: 'https://page.example/' });
    await guarded.close();
    expect(notes(made?.toString() ?? '')).toEqual(
      ['Inside', 'Cloud', 'Six'].map((name) => `Image not saved: ${name}`),
    );
    expect(site.asked.length).toBe(before);
  });
});
