// Puts the changes that Replicache tells back into the order in which they happened. Its refresh (15.3) tells a change
// only after another transaction on the device, so a pull or a mutation of that time is told before it, and the older
// row would be shown for good.
import type { MutatorDefs, ReadonlyJSONValue, Replicache } from 'replicache';
import type { KeyChange } from '#client/replica/mirror.ts';

/** One change as Replicache tells it; only keys and values matter here. */
export type DiffOperation = Readonly<
  | { op: 'add'; key: string; newValue: ReadonlyJSONValue }
  | { op: 'change'; key: string; oldValue: ReadonlyJSONValue; newValue: ReadonlyJSONValue }
  | { op: 'del'; key: string; oldValue: ReadonlyJSONValue }
>;

/** Where changes come from and go to. */
export interface DiffOrderOptions {
  /** The values of the keys as they are now, null for those that are gone. */
  read(keys: readonly string[]): Promise<KeyChange[]>;
  take(changes: readonly KeyChange[]): void;
  onFailure(error: unknown): void;
}

/** Changes that follow on what was told last are handed on; of all others the present value is read instead. */
export class DiffOrder {
  readonly #options: DiffOrderOptions;
  readonly #told = new Map<string, unknown>();
  /** Keys of which something out of order was told: an older change may still come. */
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

/** Hands on everything the replica has, then each change in its order. */
export function watchInOrder(
  replicache: Replicache<MutatorDefs>,
  take: (changes: readonly KeyChange[]) => void,
): void {
  const order = new DiffOrder({
    take,
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
