// How much more of a page's resources may be inlined in its snapshot.
import { SNAPSHOT } from './snapshot-limits.ts';

/** Room in the finished file; counts each use of a picture, since each is written out. */
export class InlineRoom {
  #left: number = SNAPSHOT.inlinedBytes;

  /** Reserves room for this many characters; false, without reserving any, when there is not enough. */
  take(length: number): boolean {
    if (length > this.#left) return false;
    this.#left -= length;
    return true;
  }
}
