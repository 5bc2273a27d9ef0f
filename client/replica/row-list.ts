// Rows of one kind in memory: by id, and as newest-first arrays of live and deleted rows. Independent of the source of
// the rows. Returned arrays are immutable: a changed list is a new array.
import type { Head, SyncedKind } from '#shared/entities.ts';
import { entityIdOf, KINDS, textOf } from '#shared/kinds.ts';

/** A row before and after a change; undefined where it does not exist. */
export interface RowChange<K extends SyncedKind> {
  id: string;
  row: Head<K> | undefined;
}

/** More changes than this in one go are merged instead of inserted one by one. */
const BULK = 64;

/** True for rows that wait in "Recently deleted". */
export function isDeleted(row: object): boolean {
  return 'deletedAt' in row && row.deletedAt !== null && row.deletedAt !== undefined;
}

/** One newest-first array with binary search, merging bulk changes. */
class SortedRows<K extends SyncedKind> {
  #rows: Head<K>[] = [];
  #shown: readonly Head<K>[] | undefined;
  readonly #kind: K;
  readonly #time: string;

  constructor(kind: K) {
    this.#kind = kind;
    this.#time = KINDS[kind].time;
  }

  get rows(): readonly Head<K>[] {
    this.#shown ??= this.#rows.slice();
    return this.#shown;
  }

  get size(): number {
    return this.#rows.length;
  }

  #compare(a: Head<K>, b: Head<K>): number {
    const [bornA, bornB] = [textOf(a, this.#time), textOf(b, this.#time)];
    if (bornA !== bornB) return bornA > bornB ? -1 : 1;
    const [idA, idB] = [entityIdOf(this.#kind, a), entityIdOf(this.#kind, b)];
    return idA === idB ? 0 : idA < idB ? -1 : 1;
  }

  /** Index of the row, or of the place where it belongs. */
  #place(row: Head<K>): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = this.#rows[middle];
      if (at !== undefined && this.#compare(at, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #find(row: Head<K>): number {
    const index = this.#place(row);
    const found = this.#rows[index];
    return found !== undefined && this.#compare(found, row) === 0 ? index : -1;
  }

  /** Puts the new row at the position of the old one; false when its order differs. */
  replace(before: Head<K>, after: Head<K>): boolean {
    if (this.#compare(before, after) !== 0) return false;
    const index = this.#find(before);
    if (index < 0) return false;
    this.#rows[index] = after;
    this.#shown = undefined;
    return true;
  }

  update(gone: readonly Head<K>[], come: Head<K>[]): void {
    if (gone.length === 0 && come.length === 0) return;
    this.#shown = undefined;
    if (gone.length > BULK) {
      const leaving = new Set(gone);
      this.#rows = this.#rows.filter((row) => !leaving.has(row));
    } else {
      for (const row of gone) {
        const index = this.#find(row);
        if (index >= 0) this.#rows.splice(index, 1);
      }
    }
    if (come.length > BULK) this.#merge(come);
    else for (const row of come) this.#rows.splice(this.#place(row), 0, row);
  }

  #merge(come: Head<K>[]): void {
    come.sort((a, b) => this.#compare(a, b));
    const last = this.#rows.at(-1);
    const first = come[0];
    if (last === undefined || first === undefined || this.#compare(last, first) < 0) {
      for (const row of come) this.#rows.push(row);
      return;
    }
    // Two sorted runs: the engine's sort recognises them and merges in linear time.
    this.#rows = [...this.#rows, ...come].sort((a, b) => this.#compare(a, b));
  }
}

/** All rows of one kind; `revision` grows with every change. */
export class RowList<K extends SyncedKind> {
  revision = 0;
  readonly byId = new Map<string, Head<K>>();
  readonly #live: SortedRows<K>;
  readonly #deleted: SortedRows<K>;

  constructor(kind: K) {
    this.#live = new SortedRows(kind);
    this.#deleted = new SortedRows(kind);
  }

  /** Newest first, without deleted rows. */
  get live(): readonly Head<K>[] {
    return this.#live.rows;
  }

  /** Newest first, deleted rows only. */
  get deleted(): readonly Head<K>[] {
    return this.#deleted.rows;
  }

  get liveCount(): number {
    return this.#live.size;
  }

  #side(row: Head<K>): SortedRows<K> {
    return isDeleted(row) ? this.#deleted : this.#live;
  }

  apply(changes: readonly RowChange<K>[]): void {
    if (changes.length === 0) return;
    const gone = new Map<SortedRows<K>, Head<K>[]>([
      [this.#live, []],
      [this.#deleted, []],
    ]);
    const come = new Map<SortedRows<K>, Map<string, Head<K>>>([
      [this.#live, new Map()],
      [this.#deleted, new Map()],
    ]);
    for (const { id, row } of changes) {
      const before = this.byId.get(id);
      // A row from earlier in the same batch is not in an array yet.
      const fresh =
        before !== undefined && [...come.values()].some((side) => side.get(id) === before && side.delete(id));
      if (row === undefined) this.byId.delete(id);
      else this.byId.set(id, row);
      if (before !== undefined && !fresh) {
        const side = this.#side(before);
        if (row !== undefined && this.#side(row) === side && side.replace(before, row)) continue;
        gone.get(side)?.push(before);
      }
      if (row !== undefined) come.get(this.#side(row))?.set(id, row);
    }
    for (const side of [this.#live, this.#deleted]) {
      side.update(gone.get(side) ?? [], [...(come.get(side)?.values() ?? [])]);
    }
    this.revision += 1;
  }
}
