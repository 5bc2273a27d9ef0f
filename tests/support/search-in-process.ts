/** The search of a page whose worker is a host of the same process, for tests without a browser; messages are cloned. */
import { createSearchClient, type SearchClient } from '#client/search/search-client.ts';
import { createSearchHost } from '#client/search/search-host.ts';
import type { FromSearchWorker } from '#client/search/search-protocol.ts';
import { readWordVectors } from '#server/search/word-vectors.ts';

const wordVectors = readWordVectors();

export function searchInProcess(): SearchClient {
  let listener: ((message: FromSearchWorker) => void) | undefined;
  const host = createSearchHost(
    (message) => listener?.(structuredClone(message)),
    async () => wordVectors,
  );
  return createSearchClient(
    {
      send: (message) => host.receive(structuredClone(message)),
      listen: (given) => {
        listener = given;
      },
      terminate: () => undefined,
    },
    (message) => {
      throw new Error(message);
    },
  );
}
