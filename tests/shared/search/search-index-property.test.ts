/** The index against a scan of all documents: the same matches whatever happened before. */
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { SearchDocument } from '#shared/search/search-document.ts';
import { SearchIndex } from '#shared/search/search-index.ts';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { naiveMatches } from './naive-search.ts';
import { anyDocument, anyQuery } from './random-documents.ts';

function ids(index: SearchIndex, query: string): string[] {
  const { hits, total } = index.search(query, { widest: 'all', limit: 1000 });
  expect(total).toBe(hits.length);
  return hits.map((hit) => hit.id).sort();
}

type Change =
  | { kind: 'upsert'; document: SearchDocument }
  | { kind: 'batch'; documents: SearchDocument[] }
  | { kind: 'remove'; id: string }
  | { kind: 'compact' | 'slices' | 'store' };

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: anyDocument.map((document) => ({ kind: 'upsert' as const, document })) },
  {
    weight: 2,
    // Other ids than single documents have for some of them, and always enough for a segment of its own.
    arbitrary: fc.array(anyDocument, { minLength: 1, maxLength: 10 }).map((some) => ({
      kind: 'batch' as const,
      documents: Array.from({ length: 80 }, (_, place) => ({
        ...(some[place % some.length] ?? some[0] ?? unreachable()),
        id: `mem_${place}`,
      })),
    })),
  },
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 0, max: 80 })
      .map((place) => ({ kind: 'remove' as const, id: `mem_${place}` })),
  },
  { weight: 2, arbitrary: fc.constantFrom('compact', 'slices', 'store').map((kind) => ({ kind })) },
);

function unreachable(): never {
  throw new Error('a generated array had no first element');
}

/** The index after a change; a merge in slices is left running, so that the next changes fall into it. */
function apply(
  index: SearchIndex,
  change: Change,
  model: Map<string, SearchDocument>,
  merges: Generator<undefined, void>[],
): SearchIndex {
  switch (change.kind) {
    case 'upsert':
      model.set(change.document.id, change.document);
      index.upsert(change.document);
      return index;
    case 'batch':
      for (const document of change.documents) model.set(document.id, document);
      index.upsertAll(change.documents);
      return index;
    case 'remove':
      model.delete(change.id);
      index.remove(change.id);
      return index;
    case 'compact':
      index.compact();
      return index;
    case 'slices':
      merges.push(index.compactInSlices());
      return index;
    default:
      merges.length = 0;
      return SearchIndex.load(index.serialize()) ?? unreachable();
  }
}

describe('any sequence of changes', () => {
  it('leaves exactly the matches that a scan of the documents finds', () => {
    fc.assert(
      fc.property(
        fc.array(anyChange, { maxLength: 25 }),
        fc.array(anyQuery, { minLength: 1, maxLength: 12 }),
        (changes, queries) => {
          const model = new Map<string, SearchDocument>();
          const merges: Generator<undefined, void>[] = [];
          let index = SearchIndex.build([]);
          changes.forEach((change, step) => {
            index = apply(index, change, model, merges);
            for (const merge of merges) merge.next();
            const query = queries[step % queries.length] ?? '';
            const plan = planSearch(parseSearchQuery(query));
            expect(ids(index, query)).toEqual(naiveMatches(model.values(), plan).sort());
            expect(index.count).toBe(model.size);
          });
          for (const query of queries) {
            const plan = planSearch(parseSearchQuery(query));
            expect(ids(index, query)).toEqual(naiveMatches(model.values(), plan).sort());
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reconciles to any other set of documents', () => {
    fc.assert(
      fc.property(fc.array(anyDocument), fc.array(anyDocument), (before, after) => {
        const index = SearchIndex.build(before);
        const wanted = new Map(after.map((document) => [document.id, document]));
        const stale = index.reconcile(new Map([...wanted].map(([id, document]) => [id, document.stamp])));
        for (const id of stale) index.upsert(wanted.get(id) ?? unreachable());
        expect(ids(index, '').concat(ids(index, 'is:archived')).sort()).toEqual([...wanted.keys()].sort());
        expect(index.reconcile(new Map([...wanted].map(([id, document]) => [id, document.stamp])))).toEqual(
          [],
        );
      }),
      { numRuns: 200 },
    );
  });
});
