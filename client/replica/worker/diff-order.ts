// Restores the order of the changes that Replicache reports. Its refresh (15.3) reports a change only after another
// transaction on the device, so a pull or a mutation in between is reported before it, and the older row would be shown
// for good.
import type { MutatorDefs, ReadonlyJSONValue, Replicache } from 'replicache';
import { withDefaults } from '#shared/entities.ts';
import { kindOfKey } from '#shared/sync/keys.ts';
import type { KeyChange } from '#client/replica/mirror.ts';

/** A change as Replicache reports it; only keys and values matter here. */
export type DiffOperation = Readonly<
  | { op: 'add'; key: string; newValue: ReadonlyJSONValue }
  | { op: 'change'; key: string; oldValue: ReadonlyJSONValue; newValue: ReadonlyJSONValue }
  | { op: 'del'; key: string; oldValue: ReadonlyJSONValue }
>;

export interface DiffOrderOptions {
  /** The values of the keys as they are now, null for deleted ones. */
  read(keys: readonly string[]): Promise<KeyChange[]>;
  take(changes: readonly KeyChange[]): void;
  onFailure(error: unknown): void;
}

/** Passes on changes whose old value is the one passed on last; for all others the current value is read instead. */
export class DiffOrder {
  readonly #options: DiffOrderOptions;
  readonly #told = new Map<string, unknown>();
  /** Keys with a change that was reported out of order: an older one may still follow. */
  readonly #doubtful = new Set<string>();

  constructor(options: DiffOrderOptions) {
    this.#options = options;
  }

  add(diff: readonly DiffOperation[]): void {
    const changes: KeyChange[] = [];
    const doubtful: string[] = [];
    for (const operation of diff) {
      const { key } = operation;
      const before = operation.op === 'add' ? undefined : operation.oldValue;
      // Replicache shares its values, so equal ones are the same object; where they are not, reading again costs little.
      if (this.#told.get(key) === before && !this.#doubtful.has(key)) {
        changes.push([key, operation.op === 'del' ? null : operation.newValue]);
      } else {
        this.#doubtful.add(key);
        doubtful.push(key);
      }
    }
    this.#tell(changes);
    if (doubtful.length > 0) {
      this.#options.read(doubtful).then(
        (present) => this.#tell(present),
        (error: unknown) => this.#options.onFailure(error),
      );
    }
  }

  #tell(changes: readonly KeyChange[]): void {
    for (const [key, value] of changes) {
      if (value === null) this.#told.delete(key);
      else this.#told.set(key, value);
    }
    this.#options.take(changes);
  }
}

/** Rows may be older than a field of theirs; other values pass unchanged. */
function completed(change: KeyChange): KeyChange {
  const [key, value] = change;
  const kind = kindOfKey(key);
  return kind === undefined || typeof value !== 'object' || value === null
    ? change
    : [key, withDefaults(kind, value)];
}

/** Passes on all rows of the replica, then each change in order. */
export function watchInOrder(
  replicache: Replicache<MutatorDefs>,
  take: (changes: readonly KeyChange[]) => void,
): void {
  const order = new DiffOrder({
    take: (changes) => take(changes.map(completed)),
    read: (keys) =>
      replicache.query((tx) =>
        Promise.all(keys.map(async (key): Promise<KeyChange> => [key, (await tx.get(key)) ?? null])),
      ),
    onFailure: (error) => {
      if (!replicache.closed) console.warn('replica: changed rows could not be read again', error);
    },
  });
  replicache.experimentalWatch((diff) => order.add(diff), { prefix: '', initialValuesInFirstDiff: true });
}
