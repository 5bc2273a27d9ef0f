/** Words that must not be in the code: switched-off tests, silenced compilers, promises, and paths of one machine. */
import { describe, expect, it } from 'vitest';
import { sourceFiles, withoutComments } from './source-tree.ts';

// The patterns are spelt so that this file does not contain what it forbids.
const FORBIDDEN: readonly [string, RegExp][] = [
  ['a focused, skipped or planned test', /\b(?:it|test|describe)\.(?:only|skip|todo|fails|fixme)\b/],
  ['a silenced compiler', /@ts-(?:ignore|nocheck|expect-error)/],
  ['a promise instead of code', /not[ ]implemented|coming[ ]soon|lorem[ ]ipsum/i],
  ['a path of one machine', /(?<![\w.-])\/(?:work\/(?:wt|main|shared)|root\/|home\/\w+\/|Users\/\w+\/)/],
];

describe('no source file contains', () => {
  it.each(FORBIDDEN)('%s', (_what, pattern) => {
    const hits = sourceFiles.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line) && !line.includes('/\\b(?:it') ? [`${path}:${index + 1}`] : [],
        ),
    );
    expect(hits).toEqual([]);
  });

  it('an effect that answers whatever its one expression answers, which React would call as a cleanup', () => {
    const hits = sourceFiles.filter(({ text }) =>
      /\buse(?:Layout|Insertion)?Effect\(\(\) => (?!\{|\(\) =>)/.test(withoutComments(text)),
    );
    expect(hits.map(({ path }) => path)).toEqual([]);
  });

  it('an enum or a namespace, which Node cannot strip', () => {
    const hits = sourceFiles.filter(({ text }) =>
      /^(export )?(declare )?((const )?enum|namespace) \w/m.test(withoutComments(text)),
    );
    expect(hits.map(({ path }) => path)).toEqual([]);
  });
});
