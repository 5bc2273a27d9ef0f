// Whether a realm has to be pulled when the stream of pokes (re)connects: not if the replica has reached the position that
// the realm had when the stream began. Pure.
import type { RealmPosition } from '#shared/sync/protocol.ts';

const isSame = (one: RealmPosition, other: RealmPosition): boolean => one.v === other.v && one.e === other.e;

/** Versions that a realm may have missed. A lower version counts as well: a restored database has one. */
export class MissedVersions {
  readonly #pull: () => void;
  #isPulling = false;
  /** Every realm is pulled as it opens. */
  #hasPulled = false;
  /** Position of the replica after the last pull of this worker; undefined when the pull failed. */
  #reached: RealmPosition | undefined;
  /** Position that the next response is compared with. */
  #told: RealmPosition | undefined;

  constructor(pull: () => void) {
    this.#pull = pull;
  }

  /** The stream of pokes began at this position of the realm; undefined when the server does not report one. */
  streamBegan(position: RealmPosition | undefined): void {
    // The response to the pull under way shows whether it was enough.
    const isUnderWay = this.#isPulling || !this.#hasPulled;
    this.#told = isUnderWay ? position : undefined;
    const isEnough = this.#reached !== undefined && position !== undefined && isSame(position, this.#reached);
    if (position === undefined || !(isUnderWay || isEnough)) this.#pull();
  }

  pullBegan(): void {
    this.#isPulling = true;
  }

  /** `position` is undefined where the response has none. A failed pull is repeated with the next stream at the latest. */
  pullEnded(isOk: boolean, position: RealmPosition | undefined): void {
    this.#isPulling = false;
    this.#hasPulled = true;
    this.#reached = isOk ? position : undefined;
    if (!isOk) return;
    const told = this.#told;
    this.#told = undefined;
    if (told && position && !isSame(told, position)) this.#pull();
  }
}
