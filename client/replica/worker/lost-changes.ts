// Hands changes that can no longer be sent by themselves over to the page, which writes them to the device, and waits for its
// confirmation: until then the journal is the only place where a crash does not lose them.
import type { Problem } from '#client/replica/status.ts';
import type { FromWorker } from '#client/replica/wire.ts';

export class LostChanges {
  readonly #post: (message: FromWorker) => void;
  readonly #realmId: string;
  readonly #waiting = new Map<number, (isStored: boolean) => void>();
  #last = 0;
  #isClosed = false;

  constructor(realmId: string, post: (message: FromWorker) => void) {
    this.#realmId = realmId;
    this.#post = post;
  }

  /** True once the page has written them to the device, false when it cannot or the realm closes before. */
  handOver(problems: readonly Problem[]): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    const lost = (this.#last += 1);
    return new Promise((resolve) => {
      this.#waiting.set(lost, resolve);
      this.#post({ type: 'lost', realmId: this.#realmId, lost, problems });
    });
  }

  /** The page's confirmation. */
  stored(lost: number, isStored: boolean): void {
    this.#waiting.get(lost)?.(isStored);
    this.#waiting.delete(lost);
  }

  close(): void {
    this.#isClosed = true;
    for (const lost of this.#waiting.keys()) this.stored(lost, false);
  }
}
