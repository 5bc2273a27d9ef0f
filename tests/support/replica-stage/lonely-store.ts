// A store that is wrong on purpose, to prove that the tests detect it: it assumes that no other tab writes. Heads of
// Replicache that it has read once are never read again, so that writes of other tabs are overwritten.
import type { KVRead, KVStore, KVStoreProvider, KVWrite, ReadonlyJSONValue } from 'replicache';
import { packedStore as rightStore } from '#client/replica/worker/kv-store.ts';

export { readStore } from '#client/replica/worker/kv-store.ts';

const HEAD_PREFIX = 'h/';

class OwnHeads {
  readonly #heads = new Map<string, ReadonlyJSONValue | undefined>();

  reading<T extends KVRead>(transaction: T): T {
    return new Proxy(transaction, {
      get: (target, name) => {
        if (name === 'get') return (key: string) => this.#get(target, key);
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  }

  writing(transaction: KVWrite): KVWrite {
    const reading = this.reading(transaction);
    return new Proxy(reading, {
      get: (target, name) => {
        if (name !== 'put') return Reflect.get(target, name);
        return async (key: string, value: ReadonlyJSONValue) => {
          if (key.startsWith(HEAD_PREFIX)) this.#heads.set(key, value);
          await transaction.put(key, value);
        };
      },
    });
  }

  async #get(from: KVRead, key: string): Promise<ReadonlyJSONValue | undefined> {
    if (!key.startsWith(HEAD_PREFIX)) return await from.get(key);
    if (!this.#heads.has(key)) this.#heads.set(key, await from.get(key));
    return this.#heads.get(key);
  }
}

/** Takes the place of the product's store. */
export const packedStore = (onFailure: Parameters<typeof rightStore>[0]): KVStoreProvider => {
  const provider = rightStore(onFailure);
  return {
    drop: (name) => provider.drop(name),
    create(name): KVStore {
      const store = provider.create(name);
      const heads = new OwnHeads();
      return {
        read: async () => heads.reading(await store.read()),
        write: async () => heads.writing(await store.write()),
        close: () => store.close(),
        get closed() {
          return store.closed;
        },
      };
    },
  };
};
