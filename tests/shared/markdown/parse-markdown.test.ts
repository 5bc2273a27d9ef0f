/** What people write in Markdown becomes which elements. */
import { newId } from '#shared/ids.ts';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '#shared/markdown/parse-markdown.ts';

describe('Markdown', () => {
  it.each([
    [
      '# One\n\n*two* **three** ~~four~~ `five`',
      [
        ['h1', {}, 'One'],
        [
          'p',
          {},
          ['em', {}, 'two'],
          ' ',
          ['strong', {}, 'three'],
          ' ',
          ['del', {}, 'four'],
          ' ',
          ['code', {}, 'five'],
        ],
      ],
    ],
    ['3. a\n4. b', [['ol', { start: '3' }, ['li', {}, 'a'], ['li', {}, 'b']]]],
    [
      '- [ ] open\n- [x] *done*',
      [
        [
          'ul',
          {},
          ['li', {}, ['input', {}], ' ', 'open'],
          ['li', {}, ['input', { checked: '' }], ' ', ['em', {}, 'done']],
        ],
      ],
    ],
    [
      '| a |\n| -: |\n| 1 |',
      [
        [
          'table',
          {},
          ['thead', {}, ['tr', {}, ['th', { align: 'right' }, 'a']]],
          ['tbody', {}, ['tr', {}, ['td', { align: 'right' }, '1']]],
        ],
      ],
    ],
    [
      'see https://a.example/b, www.b.example/c. or d@e.example',
      [
        [
          'p',
          {},
          'see ',
          ['a', { href: 'https://a.example/b' }, 'https://a.example/b'],
          ', ',
          ['a', { href: 'http://www.b.example/c' }, 'www.b.example/c'],
          '. or ',
          ['a', { href: 'mailto:d@e.example' }, 'd@e.example'],
        ],
      ],
    ],
    ['note.md and example.com stay words', [['p', {}, 'note.md and example.com stay words']]],
    [
      'a[^1]\n\n[^1]: b',
      [
        ['p', {}, 'a', ['sup', {}, '[1]']],
        ['ol', {}, ['li', {}, ['p', {}, 'b']]],
      ],
    ],
    ['a  \nb', [['p', {}, 'a', ['br', {}], 'b']]],
    ['![alt](https://a.example/b.png)', [['p', {}, ['img', { src: 'https://a.example/b.png', alt: 'alt' }]]]],
    ['```js\na < b\n```', [['pre', {}, ['code', { language: 'js' }, 'a < b\n']]]],
  ])('%j', (source, tree) => {
    expect(parseMarkdown(source)).toEqual(tree);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](jav&#x09;ascript:alert(1))',
    '[x](&#106;avascript&colon;alert(1))',
    '[x][r]\n\n[r]: javascript:alert(1)',
    '[x](data:text/html,x)',
    '![x](vbscript:x)',
    '<javascript:alert(1)>',
    '[x](//evil.example)',
    '[x](javascript%3Aalert(1))',
  ])('%j leads nowhere', (source) => {
    const tree = JSON.stringify(parseMarkdown(source));
    expect(tree).not.toContain('"href"');
    expect(tree).not.toContain('"src"');
  });

  it('leaves raw HTML out', () => {
    expect(parseMarkdown('a <img src=x onerror=alert(1)>b')).toEqual([['p', {}, 'a ', 'b']]);
  });
});

describe('an address of a memory', () => {
  it('stays, and only when it names one', () => {
    const id = newId('memory');
    expect(parseMarkdown(`![a](memory:${id}) [b](memory:${id})`)).toEqual([
      ['p', {}, ['img', { src: `memory:${id}`, alt: 'a' }], ' ', ['a', { href: `memory:${id}` }, 'b']],
    ]);
    for (const address of [`memory:${id}/..`, `memory:${newId('space')}`, 'memory:', `MEMORY:${id}`]) {
      expect(parseMarkdown(`[b](${address})`)).toEqual([['p', {}, ['a', {}, 'b']]]);
    }
  });
});
