// Links between the notes of an export stay links: they become references by the title that the other note gets.
import { describe, expect, test } from 'vitest';
import { inMemory } from '#server/capture/archive-bytes.ts';
import { readChunks, type ImportChunk } from '#server/capture/import-reading.ts';
import { outsideCode } from '#server/capture/imports/outside-code.ts';
import { splitReferences } from '#shared/markdown/references.ts';
import { zipOf } from '#tests/support/zip.ts';

async function readAll(files: Readonly<Record<string, string>>) {
  const archive = await zipOf(Object.entries(files).map(([path, bytes]) => ({ path, bytes })));
  const options = { name: 'a.zip', folders: 'none', skip: 0, without: undefined, onFile: () => {} } as const;
  const whole: Pick<ImportChunk, 'notes' | 'problems'> = { notes: [], problems: [] };
  for await (const { notes, problems } of readChunks(inMemory(archive), options)) {
    whole.notes.push(...notes);
    whole.problems.push(...problems);
  }
  return whole;
}

/** The texts of the notes by title. */
async function textsOf(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { notes } = await readAll(files);
  return Object.fromEntries(notes.map(({ title, body }) => [title ?? '', body.notes ?? '']));
}

const vault = (inbox: string) =>
  textsOf({
    'Vault/.obsidian/app.json': '{}',
    'Vault/Daily/Inbox.md': inbox,
    'Vault/Projects/boat-plan.md': '---\ntitle: The boat\n---\nWood',
    'Vault/Projects/v1.2 notes.md': 'Paint',
    'Vault/Archive/Old.md': '# Old [list] | rest\n',
    'Vault/Archive/Far/Deep.md': 'One',
    'Vault/Deep.md': 'Two\n',
  }).then(({ Inbox }) => Inbox);

describe('a link of a vault', () => {
  test.each([
    ['[[boat-plan]]', '[[The boat|boat-plan]]'],
    ['[[Boat-Plan.md]]', '[[The boat|Boat-Plan.md]]'],
    ['[[boat-plan|our boat]]', '[[The boat|our boat]]'],
    ['[[boat-plan|The boat]]', '[[The boat]]'],
    ['[[boat-plan#Hull]]', '[[The boat|boat-plan › Hull]]'],
    ['[[Projects/boat-plan]]', '[[The boat|boat-plan]]'],
    ['[[../Projects/boat-plan|x]]', '[[The boat|x]]'],
    ['![[boat-plan]]', '[[The boat|boat-plan]]'],
    ['[[v1.2 notes]]', '[[v1.2 notes]]'],
    ['[the plan](../Projects/boat-plan.md)', '[[The boat|the plan]]'],
    ['[list](<../Projects/v1.2 notes.md#Top>)', '[[v1.2 notes|list]]'],
    ['[list](../Projects/v1.2%20notes.md)', '[[v1.2 notes|list]]'],
    // A title that no reference can hold.
    ['[[Old]]', 'Old'],
    // A heading of the same note.
    ['[[#Later]]', 'Later'],
  ])('%s becomes %s', async (written, expected) => {
    expect(await vault(`See ${written}.`)).toBe(`See ${expected}.`);
  });

  test.each([
    '[[Nothing]] [[Nothing|words]] [[Nothing#heading]] [[Other/boat-plan]] ![[gone.png]]',
    '`[[boat-plan]]` ``a ` [[boat-plan]]``',
    '```\n[[boat-plan]]\n```',
    '~~~\n[[boat-plan]]\n~~~',
    '````\n```\n[[boat-plan]]\n````',
    '[[ ]] [[|x]] [[]] [web](https://a.example/boat-plan.md) [top](#top)',
  ])('stays as it is written: %s', async (written) => {
    expect(await vault(`See\n\n${written}`)).toBe(`See\n\n${written}`);
  });

  test('of a table keeps its cell', async () => {
    const row = String.raw`| [[boat-plan\|ours]] | [[boat-plan]] |`;
    const text = await vault(`See\n\n${row}`);
    expect(text).toBe(`See\n\n${String.raw`| [[The boat\|ours]] | [[The boat\|boat-plan]] |`}`);
    expect(splitReferences(String.raw`[[The boat\|ours]]`)).toEqual([{ name: 'the boat', label: 'ours' }]);
  });

  test('to one of two notes of the same title names that title', async () => {
    expect(await vault('[[Deep]] [[Far/Deep]]')).toBe('[[Deep]] [[Deep]]');
  });

  test('in its thousands is read in time', async () => {
    const files = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`n${n}.md`, `# Title ${n}`]));
    const links = Array.from({ length: 1_000 }, (_, n) => `[[n${n}]]`).join(' ');
    const hostile = { 'open.md': '[['.repeat(50_000), 'ticks.md': '`'.repeat(100_000) };
    const texts = await textsOf({ '.obsidian/app.json': '{}', ...files, ...hostile, 'all.md': links });
    expect(texts['all']?.match(/\[\[Title \d+\|n\d+\]\]/g)).toHaveLength(1_000);
    expect(texts['open']).toBe('[['.repeat(50_000));
  });
});

describe('a Notion export', () => {
  const [one, two, three] = ['1'.repeat(32), 'a2'.repeat(16), '3'.repeat(32)];
  const page = (text: string) =>
    textsOf({
      [`Private & Shared/Home ${one}.md`]: `# Home\n\n${text}`,
      [`Private & Shared/Home/Tea (green) ${two}.md`]: '# Tea, green\n',
      [`Private & Shared/Home/Prices ${three}.csv`]: 'Name,Price\nTea,1',
      [`Private & Shared/Home/Prices ${three}_all.csv`]: 'Name,Price\nTea,1\nMilk,2',
    }).then(({ Home }) => Home);

  test.each([
    [`[Tea](Home/Tea%20(green)%20${two}.md)`, '[[Tea, green|Tea]]'],
    [`[Tea, green](Home/Tea%20(green)%20${two}.md?pvs=4)`, '[[Tea, green]]'],
    [`[at Notion](https://www.notion.so/team/Tea-${two}?pvs=4#x)`, '[[Tea, green|at Notion]]'],
    [`[all](Home/Prices%20${three}.csv)`, '[[Prices|all]]'],
    [`[gone](Home/Gone%20${'4'.repeat(32)}.md)`, 'gone'],
    [`[web](https://a.example/${two})`, `[web](https://a.example/${two})`],
    [`[other](https://www.notion.so/${'5'.repeat(32)})`, `[other](https://www.notion.so/${'5'.repeat(32)})`],
  ])('has %s as %s', async (written, expected) => {
    expect(await page(`See ${written}.`)).toBe(`See ${expected}.`);
  });

  test('has a table as a note where a row has no page, whole and once', async () => {
    const csv = 'Name,Tags\n"Line\none","a, b"\n,"x|y"\n';
    const texts = await textsOf({
      [`Alone ${one}.csv`]: csv,
      [`With pages ${two}.csv`]: 'Name,Tags\nFirst: one!,\nSecond,',
      [`With pages/First one ${one}.md`]: '# First: one!',
      [`With pages/Second ${three}.md`]: '# Second',
      [`With some ${three}.csv`]: 'Name\nFirst\nThird',
      [`With some ${three}_all.csv`]: 'Name\nFirst\nThird\nFourth',
      [`With some ${three}/First ${two}.md`]: '# First',
    });
    expect(texts).toEqual({
      Alone: ['| Name | Tags |', '| --- | --- |', '| Line one | a, b |', String.raw`|  | x\|y |`].join('\n'),
      'First: one!': '',
      Second: '',
      First: '',
      'With some': ['| Name |', '| --- |', '| First |', '| Third |', '| Fourth |'].join('\n'),
    });
  });

  test('names a table that is damaged, and keeps the rest', async () => {
    const { notes, problems } = await readAll({
      [`Home ${one}.md`]: '# Home',
      [`Cut ${two}.csv`]: 'Name\n"never closed',
    });
    expect(notes.map(({ title }) => title)).toEqual(['Home']);
    expect(problems).toEqual([
      {
        path: 'Cut.csv',
        reason: 'It is damaged or was cut off: a quoted cell does not end',
        imported: false,
      },
    ]);
  });
});

test('code is left alone wherever it ends', () => {
  const upper = (text: string) => outsideCode(text, (words) => words.toUpperCase());
  expect(upper('a `b` c ``d ` e`` f')).toBe('A `b` C ``d ` e`` F');
  expect(upper('a ` b')).toBe('A ` B');
  expect(upper('```b``` c\nd')).toBe('```b``` C\nD');
  expect(upper('> ```js\n> a\n> ```\nb')).toBe('> ```js\n> a\n> ```\nB');
  expect(upper('a\n~~~\nb\n```\nc')).toBe('A\n~~~\nb\n```\nc');
  expect(upper(`${'`'.repeat(7)}a`.repeat(20_000))).toHaveLength(160_000);
});
