/** How well the server's search finds the project's own notes: what people type, and words they might remember. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMarkdownNote } from '#server/capture/markdown-note.ts';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { termsOf } from '#shared/memories/text-analysis.ts';
import { searchMemories } from '#server/memories/search.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createWorld, type World } from '#tests/support/world.ts';
import { filesBelow, ZIP_TIME } from '#tests/support/zip.ts';

const notes = filesBelow(path.resolve(import.meta.dirname, '../fixtures/notes')).map((file) => ({
  file: file.path,
  ...readMarkdownNote({ path: file.path, text: String(file.bytes), modified: ZIP_TIME }, true),
}));

let world: World;
let cast: Cast;
const fileOf = new Map<string, string>();

beforeAll(async () => {
  world = await createWorld();
  cast = await createCast(world);
  const build = createBuild(cast);
  for (const { file, title, notes: text, tags, url } of notes) {
    const { id } = await build.memory({ title, notes: text, tags, url: url ?? null });
    fileOf.set(id, file);
  }
});
afterAll(() => world.close());

/** Below HTTP, because a session may search sixty times a minute. */
async function hits(query: string): Promise<(string | undefined)[]> {
  const reader = { userId: cast.bob.user.id, workspaceId: cast.workspaceId };
  const body = {
    workspaceId: cast.workspaceId,
    query,
    archived: false,
    mode: 'text',
    page: 1,
    perPage: 20,
  } as const;
  const { result } = await searchMemories(world.context.db, reader, body);
  return result.map(({ id }) => fileOf.get(id));
}

describe('keywords show first', () => {
  it.each([
    ['compost', 'garden/compost-basics.md'],
    ['tomato disease', 'garden/tomato-blight.md'],
    ['git undo', 'code/git/undo-last-commit.md'],
    ['offset pagination', 'code/sql/keyset-pagination.md'],
    ['explain', 'code/sql/explain-analyze.md'],
    ['kasespatzle', 'kitchen/kaesespaetzle.md'],
    ['hüttenschlafsack', 'travel/alps/packliste.md'],
    ['東京 ラーメン', 'kitchen/ラーメン.md'],
    ['波函数', 'science/量子力学.md'],
    ['한국어', 'languages/korean-particles.md'],
    ['"one repository"', 'work/decisions/2023-03-monorepo.md'],
    ['tag:sql running total', 'code/sql/window-functions.md'],
    ['zettelk', 'reading/zettelkasten.md'],
    ['kubernets prob', 'code/kubernetes-probes.md'],
    ['plumber photographs', 'home/insurance-claim.md'],
  ])('%s → %s', async (query, expected) => {
    expect((await hits(query))[0]).toBe(expected);
  });
});

describe('questions find among the first three', () => {
  it.each([
    ['which large files fill my disk?', 'code/shell/find-large-files.md'],
    ['why does my job find nothing when cron starts it', 'code/shell/cron-environment.md'],
    ['is it worth to buy the train pass in japan', 'travel/japan/jr-pass.md'],
    ['what should I do against pain in the back', 'health/back-exercises.md'],
  ])('%s → %s', async (query, expected) => {
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
