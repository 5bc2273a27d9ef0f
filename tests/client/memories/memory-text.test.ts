/** Titles and excerpts of memories. */
import { expect, it } from 'vitest';
import {
  domainOf,
  memoryExcerpt,
  memoryTitle,
  plainNotes,
  shortAddress,
} from '#shared/memories/memory-text.ts';

const bare = { title: null, description: null, summary: null, notes: null, url: null, filename: null };

it('calls a memory by its title, else its first words, its file or its address', () => {
  expect(memoryTitle({ ...bare, title: 'T', notes: 'n' })).toBe('T');
  expect(memoryTitle({ ...bare, notes: '\n## **Plan** for [May](https://a.example)\nmore' })).toBe(
    'Plan for May',
  );
  expect(memoryTitle({ ...bare, filename: 'scan.pdf' })).toBe('scan.pdf');
  expect(memoryTitle({ ...bare, url: 'https://www.a.example/x/' })).toBe('a.example/x');
  expect(memoryTitle(bare)).toBe('Untitled');
});

it('does not repeat the title in the excerpt', () => {
  expect(memoryExcerpt({ ...bare, notes: 'first\nsecond' })).toBe('second');
  expect(memoryExcerpt({ ...bare, title: 'first', notes: 'first\n- [ ] second' })).toBe('second');
});

it.each([
  ['A <b>bold</b> word<br>and <em class="x">more</em>', 'A bold word and more'],
  ['<p>One</p><p>Two</p>', 'One Two'],
  ['2 < 3 and 5 > 4, <3', '2 < 3 and 5 > 4, <3'],
  ['Before <!-- not for readers --> after', 'Before after'],
  ['<!-- a comment\nof two lines -->\nText', 'Text'],
  ['See [the manual][m] and [Python][]', 'See the manual and Python'],
  ['The cell rows[0][1] of a table', 'The cell rows[0][1] of a table'],
  ['[m]: https://a.example "Manual"\n[n]: <https://b.example>\nText', 'Text'],
  ['Known since 1871[^1] and before.[^note]', 'Known since 1871 and before.'],
  ['[^1]: Darwin, page 12', 'Darwin, page 12'],
  ['Ask <https://a.example/a_b_c> or <me@a.example>', 'Ask https://a.example/a_b_c or me@a.example'],
  ['Some ==marked words== of it', 'Some marked words of it'],
  ['if a == b or c==d then', 'if a == b or c==d then'],
  [
    'Salt &amp; pepper &lt;ground&gt; &#8211; &#x201C;fresh&#x201D;&nbsp;',
    'Salt & pepper <ground> – “fresh”',
  ],
  ['AT&T; &unknown; &#0;', 'AT&T; &unknown; &#0;'],
  ['Not \\*emphasised\\*, 2\\. and \\[plain\\]', 'Not *emphasised*, 2. and [plain]'],
  ['[Go](https://a.example/Go_(game)) is old', 'Go is old'],
  ['![A map](map.png) of [![it](i.png)](https://a.example "It (all)")', 'A map of it'],
  ['> [!NOTE]\n> Bring water', 'Bring water'],
  ['> [!tip]- Water\n> Bring some', 'Water\nBring some'],
  ['> ## Quoted **heading**', 'Quoted heading'],
  ['- [x] done ~~twice~~ __once__', 'done twice once'],
  ['Run `npm run *` or ``a ` b`` &amp; `&lt;`', 'Run npm run * or a ` b & &lt;'],
  ['```html\n<b class="x">*a*</b>\n<!-- kept -->\n```', '<b class="x">*a*</b>\n<!-- kept -->'],
  ['```not a fence``` but code', 'not a fence but code'],
  ['One\\\nTwo\n\n* * *\n\nThree', 'One\nTwo\nThree'],
  ['[[Plan|The plan]] and [[Beds]]', 'The plan and Beds'],
  ['| a \\| b | `c` |', 'a | b · c'],
])('reads %j as a reader sees it', (notes, text) => {
  expect(memoryExcerpt({ ...bare, title: 'T', notes })).toBe(text);
  expect(memoryTitle({ ...bare, notes })).toBe(text.split('\n')[0]);
});

it('makes a paragraph whole that its writer broke into lines, and keeps lists and code apart', () => {
  const notes =
    'A long [link](https://a.example\n/x) and\n_two_ lines with snake_case_names.\n\n- one\n  more\n- two\n```\na\nb\n```';
  expect(memoryExcerpt({ ...bare, title: 'T', notes })).toBe(
    'A long link and two lines with snake_case_names.\none more\ntwo\na\nb',
  );
  expect(memoryExcerpt({ ...bare, title: 'T', notes: '# T\nText\n## Part\nof it' })).toBe(
    'Text\nPart\nof it',
  );
});

it('prefers a description over the notes', () => {
  expect(memoryExcerpt({ ...bare, title: 'T', description: 'D', notes: 'N' })).toBe('D');
});

it('cuts long text with an ellipsis', () => {
  expect(memoryExcerpt({ ...bare, title: 'T', notes: 'word '.repeat(400) })).toMatch(/^word .*…$/);
});

it('takes the words of a long note, whose text is not in the row, from its beginning', () => {
  const head = { ...bare, beginning: '# Plan\n\nFirst the **roof**.' };
  expect([memoryTitle(head), memoryExcerpt(head)]).toEqual(['Plan', 'First the roof.']);
});

it('takes the words of a page or file where the memory has none of its own', () => {
  const metadata = { lead: 'Barnacles glue themselves to rock.' };
  expect(memoryExcerpt({ ...bare, title: 'T', metadata })).toBe('Barnacles glue themselves to rock.');
  expect(memoryExcerpt({ ...bare, title: 'T', notes: 'N', metadata })).toBe('N');
});

it('names the site of an address', () => {
  expect(domainOf('https://www.a.example:8080/x')).toBe('a.example:8080');
  expect(domainOf(null)).toBeUndefined();
  expect(shortAddress('not an address')).toBe('not an address');
});

it('reads a table by its rows, not by the names of its columns', () => {
  const table = '| When | What |\n|---|---|\n| 8:00 | **fold** |';
  expect(memoryExcerpt({ ...bare, title: 'T', notes: table })).toBe('8:00 · fold');
  expect(memoryTitle({ ...bare, notes: table })).toBe('8:00 · fold');
  expect(memoryExcerpt({ ...bare, title: 'T', notes: '| When | What |\n|---|---|' })).toBe('When · What');
  expect(memoryExcerpt({ ...bare, title: 'T', notes: 'Before\n\n| A | B |\n| :- | -: |\n| 1 | 2 |' })).toBe(
    'Before\n1 · 2',
  );
});

it('shows notes without marks where words were found in them', () => {
  expect(plainNotes('# A **bold** plan\n\n| A | B |\n|---|---|\n| 1 | `two` |\n```js\nrun()\n```')).toBe(
    'A bold plan\nA · B\n1 · two\nrun()',
  );
});
