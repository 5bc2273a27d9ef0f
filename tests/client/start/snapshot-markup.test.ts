/** The markup of a snapshot is made of what is allowed, whatever is stored. */
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { markupOf, SNAPSHOT_ATTRIBUTES, SNAPSHOT_TAGS } from '#client/start/snapshot-markup.ts';
import { withSnapshot } from '#client/start/snapshot-document.ts';

const elementsOf = (markup: string) => {
  const { document } = parseHTML(`<body><main>${markup}</main></body>`);
  return [...document.querySelectorAll('main *')];
};

describe('markupOf', () => {
  it('writes elements with attributes and texts, and leaves no stop for the Tab key', () => {
    const link = ['a', { href: '/acme?memory=mem_1', class: 'truncate' }, ['Ripe pears']];
    expect(markupOf([['li', { style: 'top: 44px;' }, [link, ['input', { type: 'checkbox' }, []]]]])).toBe(
      '<li style="top: 44px;"><a href="/acme?memory=mem_1" class="truncate" tabindex="-1">Ripe pears</a>' +
        '<input type="checkbox" tabindex="-1"></li>',
    );
  });

  it('escapes texts and values', () => {
    const text = '</li><script>alert(1)</script><img src=x onerror=alert(1)> & "quoted"';
    const [item, ...others] = elementsOf(markupOf([['li', { title: text }, [text]]]));
    expect(others).toEqual([]);
    expect(item?.textContent).toBe(text);
    expect(item?.getAttribute('title')).toBe(text);
  });

  it.each([
    ['an element that runs', [['script', {}, ['alert(1)']]]],
    ['an element that loads', [['iframe', {}, []]]],
    ['a handler', [['div', { onclick: 'alert(1)' }, []]]],
    ['a document of its own', [['img', { srcdoc: '<p>' }, []]]],
    ['an address that runs', [['a', { href: 'javascript:alert(1)' }, []]]],
    ['an address elsewhere', [['a', { href: '//example.com' }, []]]],
    ['an address elsewhere, in disguise', [['a', { href: '/\\example.com' }, []]]],
    ['a style that loads', [['div', { style: 'background: url(//example.com)' }, []]]],
    ['a style that loads, in disguise', [['div', { style: 'background: u\\72l(//example.com)' }, []]]],
    ['a value that is no text', [['div', { class: { toString: 'x' } }, []]]],
    ['a node that is none', [['div', {}]]],
    ['a number', [7]],
    ['nothing', undefined],
  ])('refuses %s', (_name, nodes) => {
    expect(() => markupOf(nodes)).toThrow(TypeError);
  });

  it('refuses what is nested without end', () => {
    let node: unknown = 'deep';
    for (let depth = 0; depth < 10_000; depth += 1) node = ['div', {}, [node]];
    expect(() => markupOf([node])).toThrow(TypeError);
  });

  it('makes nothing but the elements and attributes that it names', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(...SNAPSHOT_TAGS, 'script', 'on', '"><script>', 'style'),
    );
    const attributes = fc.dictionary(fc.oneof(word, fc.constantFrom(...SNAPSHOT_ATTRIBUTES)), word);
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(word, fc.tuple(word, attributes, fc.array(tie('node'), { maxLength: 3 }))),
    }));
    fc.assert(
      fc.property(fc.array(node), (nodes) => {
        let markup: string;
        try {
          markup = markupOf(nodes);
        } catch (error) {
          return error instanceof TypeError;
        }
        return elementsOf(markup).every(
          ({ localName, attributes: given }) =>
            SNAPSHOT_TAGS.has(localName) &&
            [...given].every(({ name }) => name === 'tabindex' || SNAPSHOT_ATTRIBUTES.has(name)),
        );
      }),
    );
  });
});

describe('withSnapshot', () => {
  it('leaves the document alone where no storage answers', async () => {
    const html = '<head><meta name="build" content="b1"></head><div id="root"></div>';
    const request = { token: 'token', address: '/acme' };
    expect(await withSnapshot(html, request)).toBe(html);
  });
});
