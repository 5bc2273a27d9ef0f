/** Reading Markdown while it is written: in pieces short enough for a page, whatever the text. */
import { expect, it } from 'vitest';
import { noteLanguage } from '#client/editor/note-language.ts';
import { HOSTILE_MARKDOWN } from '#tests/support/hostile-markdown.ts';

const LENGTH = 100_000;
/** Without limits one piece takes up to eleven seconds; the machine of the least builder is slow and shared. */
const LONGEST_MS = 400;

/** Names of the nodes of a text, and the processor time of the longest piece of work that cannot be interrupted. */
function read(text: string) {
  const parse = noteLanguage.parser.startParse(text);
  let longest = 0;
  for (;;) {
    // Of this thread: others of the process compile and collect garbage meanwhile.
    const start = process.threadCpuUsage();
    const tree = parse.advance();
    const { user, system } = process.threadCpuUsage(start);
    longest = Math.max(longest, (user + system) / 1_000);
    if (tree === null) continue;
    const names = new Set<string>();
    tree.iterate({ enter: ({ name }) => void names.add(name) });
    return { names, longest };
  }
}

it.each(Object.entries(HOSTILE_MARKDOWN))('reads %s in short pieces', (_name, make) => {
  expect(read(make(LENGTH)).longest).toBeLessThan(LONGEST_MS);
});

it('reads what notes are made of', () => {
  const text = [
    '# Title',
    '- [x] ~~done~~ **bold** *italic* `code`',
    '  1. nested https://a.example',
    '> quote',
    '',
    '| a | b |\n| - | - |\n| 1 | 2 |',
    '',
    '```\ncode\n```',
  ].join('\n');
  const { names } = read(text);
  for (const name of [
    ...'ATXHeading1 TaskMarker Strikethrough StrongEmphasis Emphasis InlineCode'.split(' '),
    ...'OrderedList URL Blockquote Table FencedCode'.split(' '),
  ])
    expect(names).toContain(name);
});
