/**
 * The logic of a search worker: one search from request to page. Independent of worker APIs, so that tests can run it
 * in place.
 */
import { sql } from 'kysely';
import { runSearch } from '#shared/search/run-search.ts';
import type { WordVectors } from '#shared/search/word-vectors.ts';
import type { Segment } from '#shared/search/segment.ts';
import { MATCH_MODES, type MatchMode } from '#shared/search/query-slots.ts';
import type { Database } from '../db/database.ts';
import type { AudienceIndex } from './audience-index.ts';
import { fuseRanks, rankedDepth } from '#shared/search/fuse-ranks.ts';
import type { IndexCache } from './index-cache.ts';
import type { FindRequest, Found } from './search-protocol.ts';
import { readReaderRealm } from './search-rows.ts';
import { snippetsOf, type SnippetTexts } from './snippets.ts';

/** Length of the part of long notes used for snippets. */
const NOTES_READ = 20_000;

/** What a worker searches with. */
export interface SearchParts {
  db: Database;
  cache: IndexCache;
  wordVectors: WordVectors;
}

/** One page of what the person finds; undefined when an index is too large to hold. */
export async function find(
  { db, cache, wordVectors }: SearchParts,
  request: FindRequest,
): Promise<Found | undefined> {
  const { workspaceId, userId, plan, conditions, page, perPage, near } = request;
  const realm = await readReaderRealm(db, workspaceId, userId);
  if (!realm) return { hits: [], total: 0, match: 'all' };
  const indexes: AudienceIndex[] = [];
  for (const audienceId of realm.audiences) {
    const index = await cache.current(audienceId, realm);
    if (!index) return undefined;
    indexes.push(index);
  }
  const segments = indexes.map((index) => index.segments);
  const found = runSearch(segments.flat(), plan, {
    ...conditions,
    wordVectors,
    limit: near ? rankedDepth(page * perPage, near) : page * perPage,
    ...(indexes.length > 2 ? { isAllowed: onceOnly(indexes, segments) } : {}),
  });
  const { highlight } = found;
  const { hits, total } = near ? fuseRanks(found, near) : found;
  const shown = hits.slice((page - 1) * perPage, page * perPage);
  const texts = await readTexts(
    db,
    shown.map(({ id }) => id),
  );
  return {
    hits: shown.flatMap(({ id, score }) => {
      const text = texts.get(id);
      return text
        ? [{ id, score: Math.round(score * 1_000) / 1_000, snippets: snippetsOf(text, highlight) }]
        : [];
    }),
    total,
    match: loosest(shown.flatMap(({ match }) => match ?? [])),
  };
}

/**
 * Removes repeated memories. A memory in several large spaces is in several indexes, and in one more of its owner; the
 * first index shows it. What the whole workspace can read is in no other index.
 */
function onceOnly(
  indexes: readonly AudienceIndex[],
  segments: readonly (readonly Segment[])[],
): (id: string, segment: Segment) => boolean {
  const everyone = indexes.findIndex(({ audienceId }) => audienceId.startsWith('w:'));
  const places = new Map(segments.flatMap((list, place) => list.map((segment) => [segment, place] as const)));
  return (id, segment) => {
    const place = places.get(segment) ?? everyone;
    return place === everyone || !indexes.some((index, n) => n < place && n !== everyone && index.has(id));
  };
}

function loosest(matches: readonly MatchMode[]): MatchMode {
  return MATCH_MODES.findLast((mode) => matches.includes(mode)) ?? 'all';
}

async function readTexts(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, SnippetTexts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<SnippetTexts & { id: string }>`
    select m."id", m."title", m."description", m."summary", m."url", left(m."notes", ${NOTES_READ}) as "notes",
      left(p."text", ${NOTES_READ}) as "page"
    from "memory" m
    left join "memory_page" p on p."workspaceId" = m."workspaceId" and p."memoryId" = m."id"
    where m."id" = any(${ids}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
