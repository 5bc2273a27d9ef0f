/** How well the server's search finds the project's own notes: what people type, and words they might remember. */
import { describe, expect, it } from 'vitest';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { termsOf } from '#shared/memories/text-analysis.ts';
import { searchMemories } from '#server/memories/search.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';
import { asPerson } from '#server/sync/readable.ts';
import { corpusNotes, KEYWORD_QUERIES, QUESTIONS } from '#tests/support/note-corpus.ts';

const notes = corpusNotes();

const fileOf = new Map<string, string>();
const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);
for (const { file, title, notes: text, tags, url } of notes) {
  const { id } = await build.memory({ title, notes: text, tags, url: url ?? null });
  fileOf.set(id, file);
}

/** Below HTTP, because a session may search sixty times a minute. */
async function hits(query: string): Promise<(string | undefined)[]> {
  const reader = { workspaceId: cast.workspaceId, ...asPerson(cast.bob.user.id) };
  const body = {
    workspaceId: cast.workspaceId,
    query,
    archived: false,
    mode: 'text',
    page: 1,
    perPage: 20,
  } as const;
  const { result } = await searchMemories(world.context, reader, body);
  return result.map(({ id }) => fileOf.get(id));
}

describe('keywords show first', () => {
  it.each(KEYWORD_QUERIES)('%s → %s', async (query, expected) => {
    expect((await hits(query))[0]).toBe(expected);
  });
});

describe('questions find among the first three', () => {
  it.each(QUESTIONS)('%s → %s', async (query, expected) => {
    expect((await hits(query)).slice(0, 3)).toContain(expected);
  });
});

it('three rarer words of a note find it: mean reciprocal rank above 0.9', async () => {
  const termsByNote = notes.map(({ notes: text }) => new Set(termsOf(text)));
  const holders = (term: string) => termsByNote.filter((terms) => terms.has(term)).length;
  let sum = 0;
  let asked = 0;
  for (const { file, notes: text } of notes) {
    const words = [...new Set(termsOf(text))].filter((term) => term.length > 4);
    const rare = words.toSorted((a, b) => holders(a) - holders(b)).slice(1, 4);
    if (rare.length < 3 || planSearch(parseSearchQuery(rare.join(' '))).required.length < 3) continue;
    asked += 1;
    sum += 1 / ((await hits(rare.join(' '))).indexOf(file) + 1 || Infinity);
  }
  expect(asked).toBeGreaterThan(40);
  expect(sum / asked).toBeGreaterThan(0.9);
});
