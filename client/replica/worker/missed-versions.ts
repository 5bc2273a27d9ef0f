// Whether a realm has to be pulled for what the stream of pokes says: not if the replica has reached that position, or the
// pull under way does. Pure.
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
  /** Version of a poke that came during a pull, which the response is compared with. */
  #poked = -1;

  constructor(pull: () => void) {
    this.#pull = pull;
  }

  /** The stream of pokes began at this position of the realm; undefined when the server does not report one. */
  streamBegan(position: RealmPosition | undefined): void {
    const isUnderWay = this.#isUnderWay();
    this.#told = isUnderWay ? position : undefined;
    const isEnough = this.#reached !== undefined && position !== undefined && isSame(position, this.#reached);
    if (position === undefined || !(isUnderWay || isEnough)) this.#pull();
  }

  /** The realm has reached this version. */
  poked(version: number): void {
    if (this.#isUnderWay()) this.#poked = Math.max(this.#poked, version);
    else if (version > (this.#reached?.v ?? -1)) this.#pull();
  }

  pullBegan(): void {
    this.#isPulling = true;
  }

  /** `position` is undefined where the response has none. A failed pull is repeated with the next stream at the latest. */
  pullEnded(isOk: boolean, position: RealmPosition | undefined): void {
    this.#isPulling = false;
    this.#hasPulled = true;
    this.#reached = isOk ? position : undefined;
    const isPoked = this.#poked > (this.#reached?.v ?? -1);
    this.#poked = -1;
    const told = isOk ? this.#told : undefined;
    if (isOk) this.#told = undefined;
    if (isPoked || (told && position && !isSame(told, position))) this.#pull();
  }

  /** The response to a pull under way shows whether it was enough. */
  #isUnderWay(): boolean {
    return this.#isPulling || !this.#hasPulled;
  }
}
