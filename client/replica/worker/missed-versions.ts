// Whether a realm has to be pulled because the stream of pokes stands (again): not where the replica is as far as the
// realm was when the stream began to follow it. Pure.
import type { RealmPosition } from '#shared/sync/protocol.ts';

const isSame = (one: RealmPosition, other: RealmPosition): boolean => one.v === other.v && one.e === other.e;

/** What one realm may have missed. Versions that differ in either direction count: a restored database has fewer. */
export class MissedVersions {
  readonly #pull: () => void;
  #isPulling = false;
  /** Every realm is pulled as it opens. */
  #hasPulled = false;
  /** Where the last pull has brought the replica, in the life of this worker; undefined when it failed. */
  #reached: RealmPosition | undefined;
  /** What the next response is compared with. */
  #told: RealmPosition | undefined;

  constructor(pull: () => void) {
    this.#pull = pull;
  }

  /** The stream stands, and the realm was here when it did; undefined when the server does not say where. */
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

  /** `position` is undefined where the response has none. What failed is pulled again with the next stream at the latest. */
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
