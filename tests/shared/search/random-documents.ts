/** Generators of documents and queries that are small enough to meet each other often; used by the index's properties. */
import { fc } from '#tests/support/fast-check.ts';
import type { SearchDocument } from '#shared/search/search-document.ts';

const words = [
  'note', 'notes', 'query', 'queries', 'class', 'classes', 'rust', 'rusty', 'rusted', 'Über', 'uber', 'Straße',
  'node.js', 'node', 'js', 'well-known', 'naïve', 'a', 'the', 'index', 'indexes', '2024', 'v24', '東京', '東京都', '京',
  '日本語', 'мир', '한글', 'İstanbul', 'x'.repeat(80), '👩‍💻', '\u{1F600}', 'data', 'database', 'dat', 'ﬁne', '𠮷野家',
  '\u{1E900}\u{1E901}', '\uff5e', '\uac00', 'c++', "don't", 'foo_bar', 'zz',
]; // prettier-ignore

const tags = ['red', 'Blue', 'deep work', 'ünï', '東京', ''];
const spaces = ['spc_a', 'spc_b'];

/** One word of the small vocabulary. */
export const anyWord = fc.constantFrom(...words);

/** Running text, sometimes with hostile characters between the words. */
export const anyText = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: anyWord },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(' '));

/** A document with one of few ids, so that sequences of changes hit the same ones. */
export const anyDocument: fc.Arbitrary<SearchDocument> = fc.record({
  id: fc.integer({ min: 0, max: 30 }).map((number) => `mem_${number}`),
  title: anyText,
  tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 3 }),
  description: anyText,
  summary: anyText,
  notes: anyText,
  url: fc.oneof(fc.constant(''), fc.constant('https://www.example.com/node/index.html'), fc.webUrl()),
  spaceIds: fc.uniqueArray(fc.constantFrom(...spaces), { maxLength: 2 }),
  type: fc.constantFrom('note', 'link', 'file'),
  origin: fc.constantFrom('web', 'import'),
  archived: fc.boolean(),
  created: fc.integer({ min: Date.UTC(2022, 0, 1), max: Date.UTC(2025, 0, 1) }),
  stamp: fc.nat(),
});

const operators = [
  'tag:red', '-tag:blue', 'tag:"deep work"', 'space:spc_a', '-space:spc_b', 'is:archived', '-is:archived', 'type:note',
  'type:note type:link', '-type:file', 'origin:web', 'url:example.com', 'url:node', '-url:example', 'title:node',
  'title:"node js"', '-title:note', 'before:2023', 'after:2023-06', '-after:2024-01-15', 'tag:none', 'color:red',
]; // prettier-ignore

/** A query of some words, phrases and operators in any order. */
export const anyQuery = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: anyWord },
      { weight: 1, arbitrary: anyWord.map((word) => word.slice(0, 2)) },
      { weight: 1, arbitrary: anyWord.map((word) => `-${word}`) },
      { weight: 1, arbitrary: fc.tuple(anyWord, anyWord).map(([one, other]) => `"${one} ${other}"`) },
      { weight: 1, arbitrary: fc.tuple(anyWord, anyWord).map(([one, other]) => `-"${one} ${other}"`) },
      { weight: 2, arbitrary: fc.constantFrom(...operators) },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(' '));
