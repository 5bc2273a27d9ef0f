// Loads this person's device tables, and the library beneath them, on first use, so that lists need not wait for them.
import type { DeviceDatabase } from '#client/replica/device-database.ts';

/** Tables that are opened on first use. */
export interface DeviceTables {
  tables(): Promise<DeviceDatabase>;
}

/** One person's tables in this page. */
export class Device implements DeviceTables {
  readonly #userId: string;
  #database: Promise<DeviceDatabase> | undefined;
  #isClosed = false;

  constructor(userId: string) {
    this.#userId = userId;
  }

  /**
   * The open tables; if their code could not be fetched, the next call tries again.
   * @throws Error after `close`: a late call must not restore what a logout has removed
   */
  tables(): Promise<DeviceDatabase> {
    this.#database ??= this.#open().catch((error: unknown) => {
      this.#database = undefined;
      throw error;
    });
    return this.#database;
  }

  async #open(): Promise<DeviceDatabase> {
    const { DeviceDatabase } = await import('#client/replica/device-database.ts');
    if (this.#isClosed) throw new Error('The tables of this person were closed');
    return new DeviceDatabase(this.#userId);
  }

  close(): void {
    this.#isClosed = true;
    this.#database?.then(
      (database) => database.close(),
      // It never opened, so there is nothing to close; the caller of `tables` has received the error.
      () => undefined,
    );
  }
}
