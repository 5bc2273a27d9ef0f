/** Data that only the server has: loaded at every visit and by `load`, with a state for failures. */
import { useCallback, useEffect, useState } from 'react';

export type Loaded<T> = { state: 'loading' } | { state: 'unreachable' } | { state: 'here'; value: T };

/** `fetch` must stay the same function between renders. */
export function useLoaded<T>(fetch: () => Promise<T>): { known: Loaded<T>; load: () => Promise<void> } {
  const [known, setKnown] = useState<Loaded<T>>({ state: 'loading' });
  const read = useCallback(
    async (): Promise<Loaded<T>> =>
      fetch().then(
        (value) => ({ state: 'here', value }) as const,
        (failure: unknown) => {
          console.info('settings: data of the server is not here', failure);
          return { state: 'unreachable' } as const;
        },
      ),
    [fetch],
  );
  useEffect(() => {
    let isCurrent = true;
    void read().then((found) => isCurrent && setKnown(found));
    return () => {
      isCurrent = false;
    };
  }, [read]);
  const load = useCallback(() => read().then(setKnown), [read]);
  return { known, load };
}
