// Loads what this device may have stored already: from there, else from the server, whose response is then stored.
import { ApiProblem } from '#client/api/api-problem.ts';

interface Store<T> {
  find: (key: string) => Promise<T | undefined>;
  keep: (key: string, value: T) => Promise<unknown>;
}

/** Returns the loader of one kind of thing; concurrent requests for the same key share one download. */
export function createLoader<T>(open: () => Store<T>) {
  async function findOrDownload(key: string, download: () => Promise<T>) {
    // The store of the person who asks, also if another one has logged in when the response is here.
    const { find, keep } = open();
    const known = await find(key);
    if (known !== undefined) return known;
    try {
      const value = await download();
      await keep(key, value);
      return value;
    } catch (error) {
      if (error instanceof ApiProblem) {
        console.info('replica: something could not be loaded', error);
        return { state: 'failed' as const };
      }
      // fetch throws a TypeError exactly when there was no response, or when it ended too early.
      if (error instanceof TypeError) return { state: 'offline' as const };
      throw error;
    }
  }
  const underWay = new Map<string, ReturnType<typeof findOrDownload>>();
  return (key: string, download: () => Promise<T>) => {
    const mine = underWay.get(key) ?? findOrDownload(key, download).finally(() => underWay.delete(key));
    underWay.set(key, mine);
    return mine;
  };
}
