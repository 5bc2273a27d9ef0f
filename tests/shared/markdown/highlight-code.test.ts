/** Blocks of code in the colours of their language, and what is not coloured. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { MARKDOWN } from '#shared/markdown/limits.ts';
import { parseMarkdown } from '#shared/markdown/parse-markdown.ts';
import { hasCode } from '#shared/markdown/parsed-at-once.ts';
import { runMarkdownTask } from '#shared/markdown/run-task.ts';

const treeOf = (text: string) => {
  const tree = runMarkdownTask({ task: 'tree', text });
  return Array.isArray(tree) ? tree : [];
};
const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;
const textOf = (node: BodyNode): string => {
  if (typeof node === 'string') return node;
  const [, , ...children] = node;
  return children.map(textOf).join('');
};
/** Coloured pieces as "colour: text". */
function colours(nodes: readonly BodyNode[]): string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    const [, { colour }, ...children] = node;
    return colour === undefined ? colours(children) : [`${colour}: ${children.map(textOf).join('')}`];
  });
}

describe('a block of code', () => {
  it.each([
    ['ts', "const a = 'x'; // why", ['keyword: const', "string: 'x'", 'comment: // why']],
    [
      'Python {.numbered}',
      'def f(n):\n    return n + 1',
      ['keyword: def', 'function: f', 'keyword: return', 'constant: 1'],
    ],
    ['sql', 'select 1', ['keyword: select', 'constant: 1']],
    ['diff', '-old\n+new', ['parameter: -old', 'string: +new']],
    ['bash', 'echo "hi $USER"', ['function: echo', 'string: "hi ', 'parameter: $USER', 'string: "']],
  ])('of %s has its colours', (language, code, expected) => {
    const tree = treeOf(fence(language, code));
    expect(colours(tree)).toEqual(expected);
    expect(tree.map(textOf).join('')).toBe(`${code}\n`);
  });

  it.each([
    ['of no language', fence('', 'const a = 1')],
    ['of an unknown one', fence('klingon', 'const a = 1')],
    ['that is only indented', '    const a = 1'],
    ['within a line', 'Say `const a = 1` here.'],
    ['that is very long', fence('ts', 'const a = 1;\n'.repeat(MARKDOWN.maxCode / 10))],
    ['with a very long line', fence('c', `int ${'a'.repeat(MARKDOWN.maxCodeLine)};`)],
    ['with many long lines', fence('c', `int ${'a'.repeat(280)};\n`.repeat(12))],
    ['of very many pieces', fence('ts', '1;'.repeat(MARKDOWN.maxCodeElements + 1))],
  ])('%s has one colour', (_what, text) => {
    const tree = treeOf(text);
    expect(colours(tree)).toEqual([]);
    expect(tree.map(textOf).join('').length).toBeGreaterThan(10);
  });

  it('keeps every character of any code', () => {
    const languages = fc.constantFrom('js', 'bash', 'html', 'css', 'yaml', 'markdown', 'rust', 'c++');
    fc.assert(
      fc.property(languages, fc.string({ unit: 'binary', maxLength: 400 }), (language, code) => {
        const text = fence(language, code);
        expect(treeOf(text).map(textOf)).toEqual((parseMarkdown(text) ?? []).map(textOf));
      }),
    );
  });

  it('is looked for in texts that are drawn at once', () => {
    expect(['```ts\n1\n```', 'a\n\n  ~~~ py\n1\n~~~'].map(hasCode)).toEqual([true, true]);
    expect(['```\n1\n```', 'a `b` c', '    ```ts'].map(hasCode)).toEqual([false, false, false]);
  });
});
