/**
 * Stored indexes: a cache in one folder, one file for each audience. The name holds the content and the version of the
 * realm, so a file is either complete or absent. A missing or damaged one is rebuilt from the rows.
 */
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

export interface StoredIndex {
  audienceId: string;
  epoch: string;
  version: number;
}

const NAME = /^(.+)\.([0-9a-f-]+)\.(\d+)\.index$/;

/** The files of one folder; several processes may share it. */
export class IndexFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stored indexes; empty when the folder cannot be read. */
  async list(): Promise<StoredIndex[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => {
      const [, audience, epoch, version] = NAME.exec(name) ?? [];
      if (audience === undefined || epoch === undefined) return [];
      return [{ audienceId: decodeURIComponent(audience), epoch, version: Number(version) }];
    });
  }

  /** The newest index of an audience in an epoch of its realm. */
  async load(
    audienceId: string,
    epoch: string,
  ): Promise<{ version: number; buffer: ArrayBuffer } | undefined> {
    const [newest] = (await this.list())
      .filter((each) => each.audienceId === audienceId && each.epoch === epoch)
      .sort((one, other) => other.version - one.version);
    if (!newest) return undefined;
    const bytes = await readFile(this.#pathOf(newest)).catch(() => undefined);
    if (!bytes) return undefined;
    const { buffer, byteOffset, byteLength } = bytes;
    return { version: newest.version, buffer: buffer.slice(byteOffset, byteOffset + byteLength) };
  }

  /** Stores an index in place of all earlier ones of its audience. */
  async save(stored: StoredIndex, buffer: ArrayBuffer): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const target = this.#pathOf(stored);
    const draft = `${target}.${process.pid}.draft`;
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(new Uint8Array(buffer));
    } finally {
      await file.close();
    }
    await rename(draft, target);
    await this.#removeWhere(
      (each) => each.audienceId === stored.audienceId && each.version !== stored.version,
    );
  }

  /** Removes all stored files of an audience. */
  async remove(audienceId: string): Promise<void> {
    await this.#removeWhere((each) => each.audienceId === audienceId);
  }

  async #removeWhere(isUnwanted: (stored: StoredIndex) => boolean): Promise<void> {
    const unwanted = (await this.list()).filter(isUnwanted);
    await Promise.all(unwanted.map((each) => rm(this.#pathOf(each), { force: true })));
  }

  #pathOf({ audienceId, epoch, version }: StoredIndex): string {
    return path.join(this.#folder, `${encodeURIComponent(audienceId)}.${epoch}.${version}.index`);
  }
}
