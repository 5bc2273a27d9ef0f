// The door to what this device keeps for one person: its tables with the library under them are loaded with the first
// use, so that no list waits for them.
import type { DeviceDatabase } from '#client/replica/device-database.ts';

/** Tables that are opened when somebody asks for them. */
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
   * The open tables; code that could not be fetched is asked for again with the next call.
   * @throws Error once they were closed: a late caller must not bring back what a logout has removed
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
      // Never opened, so nothing is left to close; whoever asked for it was told.
      () => undefined,
    );
  }
}
