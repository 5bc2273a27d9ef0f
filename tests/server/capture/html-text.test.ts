// Notes in HTML as Markdown: what becomes of their tables, and that no table loses words or time.
import { describe, expect, test } from 'vitest';
import { markdownOf } from '#server/capture/imports/html-text.ts';

const tableOf = (...rows: readonly string[]) =>
  `<table>${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`;

describe('a table of a note', () => {
  test('is a Markdown table, its first row the head', () => {
    const table = tableOf(
      '<td><div>Name</div></td><td>Price | kg</td>',
      '<td><div>Tea</div><div>green</div></td><td>3 <b>EUR</b></td>',
      '<td></td><td><a href="https://a.example/">4</a></td>',
    );
    expect(markdownOf(`<en-note><div>Before</div>${table}<div>After</div></en-note>`)).toBe(
      [
        'Before\n',
        String.raw`| Name | Price \| kg |`,
        '| --- | --- |',
        '| Tea green | 3 **EUR** |',
        '|  | [4](https://a.example/) |',
        '\nAfter',
      ].join('\n'),
    );
  });

  test('has a cell over several columns or rows in the first place of them', () => {
    const table = tableOf(
      '<th colspan="2">A</th><th rowspan="2">B</th>',
      '<td rowspan="2">1</td><td>2</td>',
      '<td>3</td><td>4</td>',
    );
    expect(markdownOf(table)).toBe(
      ['| A |  | B |', '| --- | --- | --- |', '| 1 | 2 |  |', '|  | 3 | 4 |'].join('\n'),
    );
  });

  test('keeps its caption, and words that are in no cell', () => {
    const table = '<table><caption>Prices</caption>loose<tr><td>1</td><td>2</td></tr></table>';
    expect(markdownOf(table)).toBe('Prices\n\nloose\n\n| 1 | 2 |\n| --- | --- |');
  });

  test('of one cell, or around other tables, is its content in paragraphs', () => {
    expect(markdownOf(tableOf('<td></td><td><p>One</p><ul><li>two</li></ul></td>'))).toBe('One\n\n-   two');
    const inner = tableOf('<td>x</td><td>y</td>', '<td>1</td><td>2</td>');
    expect(markdownOf(tableOf(`<td>Left</td><td>${inner}</td>`))).toBe(
      'Left\n\n| x | y |\n| --- | --- |\n| 1 | 2 |',
    );
    expect(markdownOf('<tr><td>no table</td></tr>')).toBe('no table');
    expect(markdownOf(tableOf('<td> </td>'))).toBe('');
  });

  test('that is hostile keeps its words and ends', () => {
    let nested = 'inside';
    for (let depth = 0; depth < 150; depth += 1) nested = tableOf(`<td>w${depth}</td><td>${nested}</td>`);
    expect(markdownOf(nested).match(/w\d+|inside/g)).toHaveLength(151);
    const wide = tableOf(
      '<td colspan="1e9" rowspan="-2">a</td>',
      ...Array.from({ length: 600 }, () => '<td>b</td>'),
    );
    expect(markdownOf(wide).split('b')).toHaveLength(601);
    expect(markdownOf(tableOf('<td rowspan="99999999">a</td><td>b</td>', '<td>c</td>'))).toContain(
      '|  | c |',
    );
  });
});
