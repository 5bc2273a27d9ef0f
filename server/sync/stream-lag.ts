// How far one stream of pokes is behind: versions that arrived for it against those that were sent. Pure.
import type { LaggingStream } from './metrics.ts';

export class StreamLag implements LaggingStream {
  readonly #heard = new Map<string, number>();
  readonly #told = new Map<string, number>();

  heard(realmId: string, version: number): void {
    this.#heard.set(realmId, version);
    // Before the first poke the stream lacks that one, not all that the realm ever had.
    if (!this.#told.has(realmId)) this.#told.set(realmId, version - 1);
  }

  told(realmId: string, version: number): void {
    if (this.#heard.has(realmId)) this.#told.set(realmId, version);
  }

  forget(realmId: string): void {
    this.#heard.delete(realmId);
    this.#told.delete(realmId);
  }

  get lag(): number {
    const each = [...this.#heard].map(([realmId, version]) => version - (this.#told.get(realmId) ?? version));
    return Math.max(0, ...each);
  }
}
