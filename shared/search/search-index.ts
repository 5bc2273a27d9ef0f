/**
 * The public interface of the full-text index over memories. Holds a list of segments, newest last, and the few
 * documents changed since the last one was built. Plain and synchronous, without workers or storage.
 */
import { planSearch, type SearchPlan } from '../memories/search-plan.ts';
import { parseSearchQuery } from '../memories/search-query.ts';
import { findDocument, idKeyOf } from './id-table.ts';
import { readIndexBuffer, writeIndexBuffer } from './index-buffer.ts';
import type { SearchDocument } from './search-document.ts';
import { createSegmentBuilder } from './segment-builder.ts';
import { mergeSegments } from './segment-merge.ts';
import { deleteFromSegment, docCountOf, openSegment, type Segment } from './segment.ts';
import {
  runRelated,
  runSearch,
  type SearchHit,
  type SearchOptions,
  type SearchResult,
} from './run-search.ts';

/** Up to this number, changed documents are indexed again at each search. */
const FRESH_MAX = 64;
const FRESH_TEXT_MAX = 100_000;
/** Segments up to which searching them one by one costs less than merging. */
const SEGMENTS_MAX = 6;

/** An index that changes document by document and can be searched at any moment. */
export class SearchIndex {
  #segments: Segment[];
  #fresh = new Map<string, SearchDocument>();
  #freshText = 0;
  #freshSegment: Segment | undefined;

  private constructor(segments: Segment[]) {
    this.#segments = segments;
  }

  /** Indexes documents at once; of equal ids the last wins. */
  static build(documents: Iterable<SearchDocument>): SearchIndex {
    const index = new SearchIndex([]);
    index.upsertAll(documents);
    return index;
  }

  /** An index as `serialize` left it; undefined when the buffer is damaged or of another version: build again then. */
  static load(buffer: ArrayBuffer): SearchIndex | undefined {
    const segments = readIndexBuffer(buffer);
    return segments && new SearchIndex(segments);
  }

  /** Number of documents that can be found. */
  get count(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.liveCount, this.#fresh.size);
  }

  /** Bytes of the segments; memory of running searches is extra. */
  get byteLength(): number {
    const bytes = (segment: Segment): number =>
      Object.values(segment.data).reduce((sum: number, array) => sum + array.byteLength, 0);
    return this.#segments.reduce((sum, segment) => sum + bytes(segment), this.#freshText * 2);
  }

  /** True while words of removed documents are still in the segments. */
  get hasRemoved(): boolean {
    return this.#segments.some((segment) => segment.liveCount < docCountOf(segment));
  }

  /** Finds documents by a query in the query language; see `SearchOptions` for what callers may add. */
  search(query: string, options: SearchOptions = {}): SearchResult {
    return this.searchPlan(planSearch(parseSearchQuery(query)), options);
  }

  /** As `search`, for a query that is analysed already. */
  searchPlan(plan: SearchPlan, options: SearchOptions = {}): SearchResult {
    return runSearch(this.segments, plan, options);
  }

  /** Documents that share tags and distinctive words with one of them, best first; none for an unknown one. */
  related(id: string, options: { tags: readonly string[]; limit: number }): SearchHit[] {
    // As segments, because documents that changed lately are not in a segment yet.
    const { segments } = this;
    const key = idKeyOf(id);
    for (const segment of segments) {
      const doc = findDocument(segment.data, key);
      if (doc !== -1 && segment.deleted[doc] === 0) return runRelated(segments, { segment, doc }, options);
    }
    return [];
  }

  /** True for a document that can be found. */
  has(id: string): boolean {
    return this.#fresh.has(id) || this.#find(id) !== undefined;
  }

  /** Adds a document or replaces the one of the same id. */
  upsert(document: SearchDocument): void {
    this.remove(document.id);
    this.#fresh.set(document.id, document);
    this.#freshText += document.notes.length + document.summary.length;
    this.#freshSegment = undefined;
    if (this.#fresh.size >= FRESH_MAX || this.#freshText >= FRESH_TEXT_MAX) this.#sealFresh();
  }

  /** Adds or replaces many documents; much faster than one by one. */
  upsertAll(documents: Iterable<SearchDocument>): void {
    const unique = new Map<string, SearchDocument>();
    for (const document of documents) unique.set(document.id, document);
    if (unique.size < FRESH_MAX) {
      for (const document of unique.values()) this.upsert(document);
      return;
    }
    if (this.count > 0) for (const id of unique.keys()) this.remove(id);
    this.#segments.push(buildSegment(unique.values()));
  }

  /** Removes a document; does nothing for an unknown id. */
  remove(id: string): void {
    if (this.#fresh.delete(id)) {
      this.#freshSegment = undefined;
      return;
    }
    const found = this.#find(id);
    if (found) deleteFromSegment(found.segment, found.doc);
  }

  /**
   * Compares with what exists now: drops documents that are not listed and returns the ids that are missing or whose
   * stamp differs, for the caller to upsert.
   */
  reconcile(stamps: ReadonlyMap<string, number>): string[] {
    const listed = new Map(this.#segments.map((segment) => [segment, new Uint8Array(docCountOf(segment))]));
    const wanted: string[] = [];
    for (const [id, stamp] of stamps) {
      const found = this.#fresh.has(id) ? undefined : this.#find(id);
      if (found) listed.get(found.segment)?.fill(1, found.doc, found.doc + 1);
      const known = found ? found.segment.data.stamps[found.doc] : this.#fresh.get(id)?.stamp;
      if (known !== stamp) wanted.push(id);
    }
    for (const id of this.#fresh.keys()) if (!stamps.has(id)) this.remove(id);
    for (const [segment, seen] of listed)
      seen.forEach((is, doc) => is === 0 && deleteFromSegment(segment, doc));
    return wanted;
  }

  /** True when merging would make searches or the index noticeably smaller. */
  get needsCompaction(): boolean {
    return this.#mergeStart() < this.#segments.length;
  }

  /** Merges everything into one segment. */
  compact(): void {
    this.#sealFresh();
    finish(this.#mergeFrom(0));
  }

  /**
   * Merges what is worth merging, or everything, a few milliseconds for every `next()`; the index may be used and
   * changed in between.
   */
  *compactInSlices(all = false): Generator<undefined, void> {
    if (all) this.#sealFresh();
    yield* this.#mergeFrom(all ? 0 : this.#mergeStart());
  }

  /** Everything in one buffer, for `load`. */
  serialize(): ArrayBuffer {
    this.#sealFresh();
    return writeIndexBuffer(this.#segments);
  }

  /** All documents as segments, for a search over several indexes. */
  get segments(): Segment[] {
    if (this.#fresh.size === 0) return this.#segments;
    this.#freshSegment ??= buildSegment(this.#fresh.values());
    return [...this.#segments, this.#freshSegment];
  }

  #sealFresh(): void {
    this.#segments = this.segments;
    this.#fresh = new Map();
    this.#freshText = 0;
    this.#freshSegment = undefined;
  }

  /** From where on segments are merged: small ones together, and a large one when much of it is deleted. */
  #mergeStart(): number {
    const segments = this.#segments;
    const wasteful = segments.findIndex((segment) => segment.liveCount * 4 < docCountOf(segment) * 3);
    if (wasteful !== -1) return wasteful;
    if (segments.length <= SEGMENTS_MAX) return segments.length;
    let start = segments.length - 1;
    let size = segments[start]?.liveCount ?? 0;
    while (start > 0 && (segments[start - 1]?.liveCount ?? 0) <= size * 3) {
      start -= 1;
      size += segments[start]?.liveCount ?? 0;
    }
    return start === segments.length - 1 ? start - 1 : start;
  }

  *#mergeFrom(start: number): Generator<undefined, void> {
    const sources = this.#segments.slice(start);
    const [only] = sources;
    if (!only || (sources.length === 1 && only.liveCount === docCountOf(only))) return;
    // Compared afterwards to find documents deleted during the merge.
    const before = sources.map((source) => source.deleted.slice());
    const { data, places } = yield* mergeSegments(sources);
    const merged = openSegment(data);
    sources.forEach((source, index) => {
      places[index]?.forEach((place, doc) => {
        if (source.deleted[doc] === 1 && before[index]?.[doc] === 0) deleteFromSegment(merged, place);
      });
    });
    const place = this.#segments.indexOf(only);
    // If another merge has replaced the sources since, this one is discarded.
    if (place !== -1) this.#segments.splice(place, sources.length, merged);
  }

  #find(id: string): { segment: Segment; doc: number } | undefined {
    const key = idKeyOf(id);
    for (const segment of this.#segments) {
      const doc = findDocument(segment.data, key);
      if (doc !== -1 && segment.deleted[doc] === 0) return { segment, doc };
    }
    return undefined;
  }
}

function buildSegment(documents: Iterable<SearchDocument>): Segment {
  const builder = createSegmentBuilder();
  for (const document of documents) builder.add(document);
  return openSegment(builder.finish());
}

function finish(steps: Generator<undefined, void>): void {
  while (!steps.next().done);
}
