/** What a component loads: `useResolved` for a value of its present inputs, `useLoaded` for data that only the server has. */
import { useCallback, useEffect, useState } from 'react';

/** `signal` ends what is not needed any more. */
type Load<T> = (signal?: AbortSignal) => Promise<T>;

/**
 * What `load` resolved to; undefined until then, and as soon as `load` or `version` is another, or `load` undefined. `load`
 * must stay the same function between renders. A rejection is reported as an error of the page.
 */
export function useResolved<T>(load: Load<T> | undefined, version?: unknown): T | undefined {
  const [found, setFound] = useState<{ load: Load<T>; version: unknown; value: T }>();
  useEffect(() => {
    if (!load) return undefined;
    const leave = new AbortController();
    load(leave.signal).then(
      (value) => leave.signal.aborted || setFound({ load, version, value }),
      (failure: unknown) => leave.signal.aborted || reportError(failure),
    );
    return () => leave.abort();
  }, [load, version]);
  return found?.load === load && found?.version === version ? found?.value : undefined;
}

export type Loaded<T> = { state: 'loading' } | { state: 'unreachable' } | { state: 'here'; value: T };

/**
 * Loaded at every visit, when `fetch` is another function, and by `load`; earlier data stays until then. `fetch` must stay the
 * same function between renders; undefined loads nothing.
 */
export function useLoaded<T>(fetch: Load<T> | undefined): { known: Loaded<T>; load: () => Promise<void> } {
  const [known, setKnown] = useState<Loaded<T>>({ state: 'loading' });
  const read = useCallback(
    async (signal?: AbortSignal): Promise<Loaded<T> | undefined> =>
      fetch?.(signal).then(
        (value) => ({ state: 'here', value }) as const,
        (failure: unknown) => {
          if (!signal?.aborted) console.info('data of the server is not here', failure);
          return { state: 'unreachable' } as const;
        },
      ),
    [fetch],
  );
  useEffect(() => {
    const leave = new AbortController();
    void read(leave.signal).then((found) => found && !leave.signal.aborted && setKnown(found));
    return () => leave.abort();
  }, [read]);
  const load = useCallback(async () => {
    const found = await read();
    if (found) setKnown(found);
  }, [read]);
  return { known, load };
}
