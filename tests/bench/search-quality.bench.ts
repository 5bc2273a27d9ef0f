/**
 * How well search finds, on devices and on the server alike. Notes whose headings are taken away are looked for by the words
 * of the heading: as keywords, as a question, unfinished and misspelt; the one note it belonged to is the right answer.
 * Beside it BM25 of MiniSearch and plain BM25 over stems, over the same texts.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch, { type SearchOptions } from 'minisearch';
import { SearchIndex } from '#shared/search/search-index.ts';
import type { SearchDocument } from '#shared/search/search-document.ts';
import { stemOf } from '#shared/search/stem.ts';
import { inMemory } from '#server/capture/archive-bytes.ts';
import { readArchive } from '#server/capture/archive.ts';
import { readMarkdownNote } from '#server/capture/markdown-note.ts';
import { termsOf } from '#shared/memories/text-analysis.ts';
import { NOTES_FOLDER } from '#tests/support/note-corpus.ts';
import { plainBm25 } from '#tests/support/plain-bm25.ts';
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

/** What people type who look for a note: by kind, from its heading. */
const KINDS: Readonly<Record<string, (heading: string, turn: number) => string>> = {
  keywords: keywordsOf,
  question: (heading, turn) => QUESTIONS[turn % QUESTIONS.length]?.(heading) ?? heading,
  partial: (heading) => withoutEnd(keywordsOf(heading)),
  typo: (heading, turn) => withSlip(keywordsOf(heading), turn),
};
/** How the library is asked best for each kind. */
const LIBRARY_OPTIONS: Readonly<Record<string, SearchOptions>> = {
  partial: { prefix: true },
  typo: { fuzzy: 0.2 },
};

type Find = (query: string) => string[];

/** Runs row 18: each kind beside the library and beside plain BM25 over stems, and all kinds together. */
export async function run(): Promise<BenchRow[]> {
  const { documents, items } = await readCollection();
  const ours = SearchIndex.build(documents);
  const library = new MiniSearch<SearchDocument>({
    fields: ['title', 'tags', 'description', 'summary', 'notes', 'url'],
    tokenize: termsOf,
    processTerm: (term) => term,
  });
  library.addAll(documents);
  const plain = plainBm25(documents, { stem: stemOf, depth: DEPTH });
  const gains = Object.entries(KINDS).map(([kind, queryOf]) => {
    const gain = (find: Find) =>
      mean(items.map(({ id, heading }, turn) => gainOf(id, find(queryOf(heading, turn)))));
    const options = LIBRARY_OPTIONS[kind] ?? {};
    return {
      kind,
      ours: gain((query) => ours.search(query, { limit: DEPTH }).hits.map(({ id }) => id)),
      library: gain((query) => library.search(query, options).map((hit) => String(hit.id))),
      plain: gain(plain),
    };
  });
  const row = (
    what: string,
    [subject, reference, target]: [number, number, number],
    name: string,
  ): BenchRow => ({
    id: `18 ${what}`,
    scenario: `${items.length} of ${documents.length} notes looked for by ${what}, nDCG@${DEPTH}`,
    subject: { p50: subject, p95: subject },
    reference: { name, p50: reference, p95: reference },
    unit: 'of 1',
    ratio: subject / reference,
    target: target === 0 ? '' : `>= ${target}x`,
    verdict: target === 0 ? 'info' : subject >= reference * target ? 'met' : 'missed',
  });
  return [
    ...gains.map((each) => row(each.kind, [each.ours, each.library, 1], 'BM25 of MiniSearch')),
    ...gains.map((each) => row(each.kind, [each.ours, each.plain, 0], 'BM25 over stems')),
    row(
      'all kinds',
      [mean(gains.map((each) => each.ours)), mean(gains.map((each) => each.plain)), 1.05],
      'BM25 over stems',
    ),
  ];
}

/** The last word is still being typed. */
function withoutEnd(query: string): string {
  return query.slice(0, Math.max(3, query.length - 3));
}

/** Two neighbouring letters of the longest word have changed places. */
function withSlip(query: string, turn: number): string {
  const words = query.split(' ');
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  const at = 1 + (turn % Math.max(1, longest.length - 2));
  const slip = `${longest.slice(0, at)}${longest.slice(at + 1, at + 2)}${longest.slice(at, at + 1)}${longest.slice(at + 2)}`;
  return words.map((word) => (word === longest ? slip : word)).join(' ');
}

/** The two or three longest words of a heading in its order: what a person types who remembers little. */
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
  for await (const file of readArchive(inMemory(archive), (name) => name.endsWith('.md'))) {
    if (!('bytes' in file)) continue;
    const note = readMarkdownNote({ ...file, text: file.bytes.toString('utf8') }, false);
    const id = `mem_${documents.length}`;
    documents.push({
      id,
      title: '',
      tags: [],
      description: '',
      summary: '',
      notes: note.notes,
      url: '',
      spaceIds: [],
      type: 'note',
      origin: 'import',
      archived: false,
      created: 0,
      stamp: 0,
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
