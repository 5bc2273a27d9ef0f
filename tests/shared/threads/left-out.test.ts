import { expect, test } from 'vitest';
import { withoutPassages } from '#shared/threads/left-out.ts';

const GONE = '*A passage was left out.*';

test.each([
  ['a quote', 'Closest:\n\n> one \\[1\\]\n\n> two \\[2\\]', `Closest:\n\n${GONE}\n\n> two \\[2\\]`],
  ['code with the mark behind it', '```\none\n\none\n```\n\n\\[1\\]\n\nrest', `${GONE}\n\nrest`],
  ['code in a longer fence', '````\n```\n\none\n````\n\n\\[2\\]\\[1\\]', GONE],
  [
    'a paragraph with several marks',
    'Both \\[2\\]\\[1\\].\n\nNeither \\[12\\].',
    `${GONE}\n\nNeither \\[12\\].`,
  ],
  ['nothing', 'Two \\[2\\].', 'Two \\[2\\].'],
])('leaves out %s', (_name, content, expected) => {
  expect(withoutPassages(content, new Set([1]))).toBe(expected);
});
