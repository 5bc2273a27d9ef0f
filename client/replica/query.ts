// A selector with its last result: runs again only when a kind that it read has changed, and returns the old object
// when the new one is equal. Independent of React, so that it can be tested without it.
import type { SyncedKind } from '#shared/entities.ts';
import { ReplicaView, revisionOf, type Mirrors } from '#client/replica/view.ts';

/** Reads rows and returns what a view needs. */
export type Selector<T> = (view: ReplicaView) => T;

/** A prepared query; `read` is cheap while nothing it depends on changed. */
export interface Query<T> {
  read(): T;
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === Array.prototype;
}

/** Same content one level deep; rows inside are compared by identity, because rows never change in place. */
function isSameResult(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isPlain(a) || !isPlain(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => Object.is(item, b[index]));
  }
  const [left, right] = [entriesOf(a), new Map(entriesOf(b))];
  return left.length === right.size && left.every(([key, value]) => Object.is(value, right.get(key)));
}

/** Prepares a selector over mirrors that may be replaced when the workspace changes. */
export function createQuery<T>(mirrors: () => Mirrors, select: Selector<T>): Query<T> {
  let last: { mirrors: Mirrors; seen: Map<SyncedKind, number>; result: T } | undefined;
  return {
    read() {
      const current = mirrors();
      const isFresh =
        last?.mirrors === current &&
        [...last.seen].every(([kind, revision]) => revisionOf(current, kind) === revision);
      if (last && isFresh) return last.result;
      const view = new ReplicaView(current);
      const result = select(view);
      const seen = new Map([...view.kinds].map((kind) => [kind, revisionOf(current, kind)]));
      last = {
        mirrors: current,
        seen,
        result: last && isSameResult(last.result, result) ? last.result : result,
      };
      return last.result;
    },
  };
}
