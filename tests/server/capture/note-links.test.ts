// Links between the notes of a vault stay links: they become references by the title that the other note gets.
import { describe, expect, test } from 'vitest';
import { readChunks } from '#server/capture/import-reading.ts';
import { outsideCode } from '#server/capture/imports/outside-code.ts';
import { splitReferences } from '#shared/markdown/references.ts';
import { zipOf } from '#tests/support/zip.ts';

/** The texts of the notes by title. */
async function textsOf(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const archive = await zipOf(Object.entries(files).map(([path, bytes]) => ({ path, bytes })));
  const options = { name: 'a.zip', folders: 'none', skip: 0, without: undefined, onFile: () => {} } as const;
  const found: Record<string, string> = {};
  for await (const { notes } of readChunks(archive, options))
    for (const { title, body } of notes) found[title ?? ''] = body.notes ?? '';
  return found;
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

test('code is left alone wherever it ends', () => {
  const upper = (text: string) => outsideCode(text, (words) => words.toUpperCase());
  expect(upper('a `b` c ``d ` e`` f')).toBe('A `b` C ``d ` e`` F');
  expect(upper('a ` b')).toBe('A ` B');
  expect(upper('```b``` c\nd')).toBe('```b``` C\nD');
  expect(upper('> ```js\n> a\n> ```\nb')).toBe('> ```js\n> a\n> ```\nB');
  expect(upper('a\n~~~\nb\n```\nc')).toBe('A\n~~~\nb\n```\nc');
  expect(upper(`${'`'.repeat(7)}a`.repeat(20_000))).toHaveLength(160_000);
});
