/** The order in which the search over docs and posts answers. */
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import type { SearchSection } from '#shared/site/content.ts';
import { DOCS_SEARCH } from '#shared/site/docs-search.ts';
import { rankSections } from '#client/site/rank-sections.ts';

const section = (path: string, title: string, heading: string, text: string): SearchSection => ({
  id: path,
  path,
  title,
  section: heading,
  text,
});

const SECTIONS = [
  section('/docs/search', 'Search', '', 'How questions are answered, and every operator.'),
  section(
    '/docs/search#operators',
    'Search',
    'Operators',
    'is:archived that are in the archive, tag:postgres',
  ),
  section(
    '/docs/capture#import',
    'Capture and import',
    'Import an archive',
    'An archive is a zip. It is read.',
  ),
  section('/docs/capture', 'Capture and import', '', 'Everything that gets in: this is archived text too.'),
  section('/docs/keyboard', 'Keyboard', '', 'Keys that work everywhere.'),
  section('/docs/keyboard#lists', 'Keyboard', 'In lists', 'The keyboard moves the keyboard focus of lists.'),
  section('/docs/api/reference#import', 'API reference', 'Import', 'import import import of an import'),
  section('/docs/hosting#backup', 'Self-hosting', 'Backup and restore', 'Run it every night.'),
];

const index = new MiniSearch<SearchSection>({
  ...DOCS_SEARCH,
  fields: [...DOCS_SEARCH.fields],
  storeFields: [...DOCS_SEARCH.storeFields],
});
index.addAll(SECTIONS);
const first = (query: string) => rankSections(index, query, 3)[0]?.id;

test('an operator leads to where it is explained, not to pages that use its words', () => {
  expect(first('is:archived')).toBe('/docs/search#operators');
  expect(first('IS:Archived ')).toBe('/docs/search#operators');
  expect(first('tag:postgres')).toBe('/docs/search#operators');
});

test('the name of a page leads to its beginning', () => {
  expect(first('keyboard')).toBe('/docs/keyboard');
  expect(first('search')).toBe('/docs/search');
});

test('a heading goes before text, and a page for readers before the generated reference', () => {
  expect(first('backup')).toBe('/docs/hosting#backup');
  expect(first('import')).toBe('/docs/capture#import');
});

test('an unfinished last word and a mistake in a long word still find', () => {
  expect(first('keyb')).toBe('/docs/keyboard');
  expect(first('keybaord')).toMatch(/^\/docs\/keyboard/);
  expect(first('operatrs')).toBe('/docs/search#operators');
});

test('a short word is taken as it is written, and unknown words find nothing', () => {
  expect(rankSections(index, 'rum', 3)).toEqual([]);
  expect(rankSections(index, 'qqqzzz', 3)).toEqual([]);
  expect(rankSections(index, '   ', 3)).toEqual([]);
});
