/** What a message is about goes into its first line and comes out of it again, whatever it is called. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import {
  CONTEXT_MAX,
  readContext,
  sourcesOf,
  withContext,
  type ContextItem,
} from '#shared/threads/message-context.ts';
import { quickest } from '#tests/support/cpu-time.ts';

const memory = (title: string): ContextItem => ({ kind: 'memory', id: newId('memory'), title });
const space = (title: string): ContextItem => ({ kind: 'space', id: newId('space'), title });

it('keeps ids and text of every context, whatever the titles are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.string({ unit: 'grapheme' })), {
        minLength: 1,
        maxLength: CONTEXT_MAX,
      }),
      fc.string({ unit: 'grapheme' }),
      (titles, text) => {
        const items = titles.map(([isMemory, title]) => (isMemory ? memory(title) : space(title)));
        const read = readContext(withContext(items, text));
        expect(read.text).toBe(text);
        expect(read.items.map(({ kind, id }) => ({ kind, id }))).toEqual(
          items.map(({ kind, id }) => ({ kind, id })),
        );
      },
    ),
  );
});

it('reads every other text as it is', () => {
  for (const text of [
    '',
    'About time',
    'About [a](https://a.example)\n\nText',
    `About [a](memory:${newId('memory')}) and more\n\nText`,
    ` ${withContext([memory('a')], 'Text')}`,
  ])
    expect(readContext(text)).toEqual({ items: [], text });
});

it('takes no id of another kind, none twice, and no more than its limit', () => {
  const one = memory('One');
  const foreign = withContext([one, one], 'Text').replace(
    'memory:',
    `memory:${newId('space')}x), [y](memory:`,
  );
  expect(readContext(foreign).items.map(({ id }) => id)).toEqual([one.id]);
  const many = Array.from({ length: 50 }, (_, index) => memory(`${index}`));
  expect(readContext(withContext(many, 'Text'))).toMatchObject({ text: 'Text' });
  expect(readContext(withContext(many, 'Text')).items).toHaveLength(CONTEXT_MAX);
});

it('names the sources of a message, and nothing where there are none', () => {
  const [one, two] = [memory('One'), space('Two')];
  expect(sourcesOf([one, two])).toEqual({ memoryIds: [one.id], spaceIds: [two.id] });
  expect(sourcesOf([one])).toEqual({ memoryIds: [one.id] });
  expect(sourcesOf([])).toEqual({});
});

it('reads hostile lines in time', () => {
  for (const text of [
    `About ${'['.repeat(100_000)}`,
    `About [a](memory:x)${', [a](memory:x)'.repeat(20_000)}`,
  ]) {
    expect(quickest(() => readContext(text), 100)).toBeLessThan(100);
  }
});
