/** The pieces of a memory that an embedding model is sent. */
import { describe, expect, it } from 'vitest';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import { chunksOf, plainChunksOf, type MemoryTexts } from '#shared/threads/chunks.ts';
import { passagesOf } from '#shared/threads/passages.ts';

const EMPTY: MemoryTexts = {
  title: null,
  tags: [],
  description: null,
  summary: null,
  notes: null,
  page: null,
};
const sentence = (word: string) => `The ${word} is described in a sentence of some length that says little. `;

describe('the pieces of a memory', () => {
  it('are its title with the tags, then each text below its title and headings', () => {
    const chunks = chunksOf({
      ...EMPTY,
      title: 'Boats',
      tags: ['sea', 'wood'],
      description: 'How they are built.',
      notes: '# Hull\n\nOak.\n\n## Keel\n\nIron.\n\n```sh\nmake keel\n```',
      page: 'A page about boats.',
    });
    expect(chunks).toEqual([
      { field: 'title', text: 'Boats', input: 'Boats\nsea, wood' },
      { field: 'description', text: 'How they are built.', input: 'Boats\nHow they are built.' },
      { field: 'notes', text: 'Oak.', input: 'Boats\nHull\nOak.' },
      { field: 'notes', text: 'Iron.\nmake keel', input: 'Boats\nHull › Keel\nIron.\nmake keel' },
      { field: 'page', text: 'A page about boats.', input: 'Boats\nA page about boats.' },
    ]);
  });

  it('hold whole passages, and are neither long nor many', () => {
    const notes = Array.from({ length: 3_000 }, (_, n) => sentence(`thing ${n}`)).join('\n\n');
    const chunks = chunksOf({ ...EMPTY, notes });
    expect(chunks.length).toBeGreaterThan(100);
    expect(chunks.length).toBeLessThanOrEqual(EMBEDDINGS.passagesMax);
    const headed = Array.from({ length: 300 }, (_, n) => `# ${n}\n\nShort.`).join('\n\n');
    expect(chunksOf({ ...EMPTY, notes: headed })).toHaveLength(EMBEDDINGS.passagesMax);
    for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(EMBEDDINGS.passageCharacters);
    const [first] = chunks;
    expect(first?.text.length).toBeGreaterThan(EMBEDDINGS.passageCharacters / 2);
    const passages = new Set(passagesOf(notes.slice(0, EMBEDDINGS.textMax)).map(({ text }) => text));
    for (const { text } of chunks) for (const line of text.split('\n')) expect(passages).toContain(line);
  });

  it('are none without words', () => {
    expect(chunksOf(EMPTY)).toEqual([]);
    expect(chunksOf({ ...EMPTY, title: '  ', notes: '\n\n---\n' })).toEqual([]);
    expect(plainChunksOf(EMPTY)).toEqual([]);
  });

  it('of a text that cannot be parsed in time are its beginning', () => {
    const notes = '> '.repeat(4_000);
    expect(plainChunksOf({ ...EMPTY, title: 'Deep', notes })).toEqual([
      {
        field: 'notes',
        text: notes.slice(0, EMBEDDINGS.passageCharacters),
        input: `Deep\n${notes.slice(0, EMBEDDINGS.passageCharacters)}`,
      },
    ]);
    expect(plainChunksOf({ ...EMPTY, title: 'Deep' })).toEqual([
      { field: 'title', text: 'Deep', input: 'Deep' },
    ]);
  });
});
