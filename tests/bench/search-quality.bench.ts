/**
 * How well local search answers: row 18 of the performance plan. Notes whose headings are taken away are looked for by
 * the words of the heading, as keywords and as a question; the one note it belonged to is the right answer. Beside it
 * BM25 of MiniSearch over the same words of the same texts.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { SearchIndex } from '#client/search/search-index.ts';
import type { SearchDocument } from '#client/search/search-document.ts';
import { readArchive } from '#server/capture/archive.ts';
import { readMarkdownNote } from '#server/capture/markdown-note.ts';
import { termsOf } from '#shared/memories/text-analysis.ts';
import { NOTES_FOLDER } from '#tests/support/note-corpus.ts';
import { filesBelow, zipOf } from '#tests/support/zip.ts';
import type { BenchRow } from './bench-row.ts';
import { createRandom } from './synthetic-memories.ts';

/** The real collection where it is at hand; the notes of the project itself otherwise. */
const COLLECTION = path.resolve(import.meta.dirname, '../../../shared/data/til-markdown.zip');
/** Hits that count, and how the gain falls with the place: nDCG@10 with one right answer. */
const DEPTH = 10;
const QUERIES = 1_000;

/** What a question has beside its subject; drawn by turns. */
const QUESTIONS = [
  (subject: string) => `how do I ${subject}`,
  (subject: string) => `what was the way to ${subject} again?`,
  (subject: string) => `what did I write about ${subject}`,
  (subject: string) => `where is the note on ${subject}`,
];

interface KnownItem {
  id: string;
  heading: string;
}

/** Runs row 18. */
export async function run(): Promise<BenchRow[]> {
  const { documents, items } = await readCollection();
  const ours = SearchIndex.build(documents);
  const theirs = new MiniSearch<SearchDocument>({
    fields: ['title', 'tags', 'description', 'summary', 'notes', 'url'],
    tokenize: termsOf,
    processTerm: (term) => term,
  });
  theirs.addAll(documents);
  const engines = {
    ours: (query: string) => ours.search(query, { limit: DEPTH }).hits.map(({ id }) => id),
    theirs: (query: string) => theirs.search(query).map((hit) => String(hit.id)),
  };
  const row = (kind: string, queryOf: (item: KnownItem, turn: number) => string): BenchRow => {
    const gain = (find: (query: string) => string[]) =>
      mean(items.map((item, turn) => gainOf(item.id, find(queryOf(item, turn)))));
    const [subject, reference] = [gain(engines.ours), gain(engines.theirs)];
    return {
      id: `18 ${kind}`,
      scenario: `${items.length} of ${documents.length} notes looked for by ${kind}, nDCG@${DEPTH}`,
      subject: { p50: subject, p95: subject },
      reference: { name: 'BM25 of MiniSearch', p50: reference, p95: reference },
      unit: 'of 1',
      ratio: subject / reference,
      target: '>= 1x',
      verdict: subject >= reference ? 'met' : 'missed',
    };
  };
  return [
    row('keywords', ({ heading }) => keywordsOf(heading)),
    row('question', ({ heading }, turn) => QUESTIONS[turn % QUESTIONS.length]?.(heading) ?? heading),
  ];
}

/** The two or three longest words of a heading in its order: what somebody types who remembers little. */
function keywordsOf(heading: string): string {
  const words = heading.split(/\s+/);
  const longest = new Set(words.toSorted((one, other) => other.length - one.length).slice(0, 3));
  return words.filter((word) => longest.has(word)).join(' ');
}

/** 1 for the first place, less for later ones, 0 beyond the depth. */
function gainOf(id: string, found: readonly string[]): number {
  const place = found.slice(0, DEPTH).indexOf(id);
  return place < 0 ? 0 : 1 / Math.log2(place + 2);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function readCollection(): Promise<{ documents: SearchDocument[]; items: KnownItem[] }> {
  const archive = existsSync(COLLECTION)
    ? readFileSync(COLLECTION)
    : await zipOf(filesBelow(NOTES_FOLDER).filter((file) => file.path.endsWith('.md')));
  const documents: SearchDocument[] = [];
  const items: KnownItem[] = [];
  for await (const file of readArchive(archive, (name) => name.endsWith('.md'))) {
    if (!('bytes' in file)) continue;
    const note = readMarkdownNote({ ...file, text: file.bytes.toString('utf8') }, false);
    const id = `mem_${documents.length}`;
    documents.push({
      ...{ id, title: '', tags: [], description: '', summary: '', notes: note.notes, url: '' },
      ...{ spaceIds: [], type: 'note', origin: 'import', archived: false, created: 0, stamp: 0 },
    });
    if (termsOf(note.title).length >= 3) items.push({ id, heading: note.title });
  }
  const random = createRandom(18);
  const drawn = items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .slice(0, QUERIES);
  return { documents, items: drawn.map(({ item }) => item) };
}
