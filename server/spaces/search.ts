/** Search over names and descriptions of spaces: few rows, so folded text is compared and scored directly. */
import { sql } from 'kysely';
import type { ListMeta } from '#shared/define/endpoint.ts';
import { foldText, queryTermsOf, termsOf } from '#shared/memories/text-analysis.ts';
import type { Database } from '../db/database.ts';
import { containsPattern } from '../db/text-query.ts';
import { piecesOf } from '../search/snippets.ts';
import { spacesFor, type Reader } from './store.ts';

interface SpaceSearch {
  query: string;
  page: number;
  perPage: number;
}

const SCANNED_MAX = 1_000;

/** Spaces that contain every word, those with the words in the name first. */
export async function searchSpaces(db: Database, reader: Reader, { query, page, perPage }: SpaceSearch) {
  const words = queryTermsOf(query);
  const meta = (total: number): ListMeta => ({ page, perPage, total, orderBy: 'score', order: 'desc' });
  if (words.length === 0) return { result: [], meta: meta(0) };
  let rows = spacesFor(db, reader).orderBy('space.updated', 'desc').limit(SCANNED_MAX);
  for (const word of words) {
    const text = sql`search_fold("space"."name" || ' ' || coalesce("space"."description", ''))`;
    rows = rows.where(sql<boolean>`${text} like ${containsPattern(word)}`);
  }
  const found = await rows.execute();
  const hits = found
    .map((space) => ({
      ...space,
      score: scoreOf(space.name, words, query),
      snippets: piecesOf(
        [
          ['name', space.name],
          ['description', space.description],
        ],
        { words, prefixes: words },
      ),
    }))
    .sort((a, b) => b.score - a.score);
  return { result: hits.slice((page - 1) * perPage, page * perPage), meta: meta(hits.length) };
}

function scoreOf(name: string, words: readonly string[], query: string): number {
  const folded = foldText(name);
  const terms = termsOf(name);
  const inName = words.filter((word) => terms.some((term) => term.startsWith(word))).length;
  const whole = folded === foldText(query).trim() ? 2 : folded.startsWith(foldText(query).trim()) ? 1 : 0;
  return inName / words.length + whole;
}
