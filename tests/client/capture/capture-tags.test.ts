/** Which `#words` of a captured text become tags, and what is left of the text. */
import { expect, it } from 'vitest';
import { LIMITS } from '#shared/constants.ts';
import { readTags } from '#client/capture/capture-tags.ts';
import { cpuMs } from '#tests/support/cpu-time.ts';

const read = (text: string, ...kept: string[]) => readTags(text, new Set(kept));
const untouched = (text: string) => expect(read(text)).toEqual({ text, tags: [] });

it('takes tags at the end and on lines of their own', () => {
  expect(read('Buy milk #food #Home')).toEqual({ text: 'Buy milk', tags: ['food', 'home'] });
  expect(read('Milk\n\n#food, #week-47\n\nEggs')).toEqual({
    text: 'Milk\n\nEggs',
    tags: ['food', 'week-47'],
  });
  expect(read('https://a.example/#part\n#später')).toEqual({
    text: 'https://a.example/#part',
    tags: ['später'],
  });
  expect(read('One #a\nTwo #b #b')).toEqual({ text: 'One #a\nTwo', tags: ['b'] });
});

it('leaves a tag that is to stay in the text', () => {
  expect(read('Milk #food #home', 'home')).toEqual({ text: 'Milk #home', tags: ['food'] });
  expect(read('Milk #food', 'food')).toEqual({ text: 'Milk #food', tags: [] });
});

it('takes no word of a sentence, of code, of a heading or of a quotation', () => {
  untouched('The #food is here');
  untouched('# Title #food');
  untouched('> said #food');
  untouched('```\n#include\n```');
  untouched('~~~sh\ntext\n#comment');
  untouched('Text\n\n    #comment');
  untouched('Run `#comment`');
  untouched('Fixed in #12');
  untouched('Milk #food.');
  untouched('- #food');
});

it('leaves a text alone that would be empty without its tags', () => {
  untouched('#food');
  untouched('#food #home');
});

it('takes neither a tag that is too long nor more than a memory may have', () => {
  untouched(`Milk #${'x'.repeat(LIMITS.tag + 1)}`);
  untouched(`Milk ${Array.from({ length: LIMITS.tagCount + 1 }, (_unused, n) => `#t${n}`).join(' ')}`);
});

it('reads hostile texts in no time', () => {
  const texts = [
    `#${'x'.repeat(LIMITS.notes)}`,
    `${'#'.repeat(LIMITS.notes - 2)} #a`,
    'x '.repeat(LIMITS.notes / 2) + '#a',
    '\n'.repeat(LIMITS.notes - 2) + '#a',
    '#a\n'.repeat(LIMITS.notes / 3),
    '#a '.repeat(LIMITS.notes / 3),
    '#1'.repeat(LIMITS.notes / 2),
  ];
  for (const text of texts) {
    // A reader that goes back over what it has read would need minutes.
    expect(cpuMs(() => read(text))).toBeLessThan(2_000);
  }
});
